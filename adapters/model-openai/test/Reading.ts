import type { JsonObject } from "@trunkline/kernel"
import type { Delta } from "@trunkline/models"
import { type AnswerOptions, makeAnswer } from "../src/answer/Answer.js"
import { chunk } from "./Wire.js"

const plain: AnswerOptions = { reasoningIn: "reasoning_content", logprobs: undefined, toolIds: [] }

/** What an answer of these chunks comes to, and whether it is whole. */
export const reading = (chunks: ReadonlyArray<JsonObject>, asked: Partial<AnswerOptions> = {}) => {
  const answer = makeAnswer({ ...plain, ...asked })
  const deltas: Array<Delta> = []
  for (const one of chunks) answer.push(one, deltas)
  return { isWhole: answer.end(deltas), deltas }
}

/** The deltas of a whole answer, the end left out. */
export const written = (chunks: ReadonlyArray<JsonObject>, asked: Partial<AnswerOptions> = {}): ReadonlyArray<Delta> =>
  reading([...chunks, chunk({}, "stop")], asked).deltas.slice(0, -1)
