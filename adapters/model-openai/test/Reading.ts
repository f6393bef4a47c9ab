import type { Delta } from "@trunkline/models"
import { type Asked, makeAnswer } from "../src/answer/Answer.js"
import type { JsonObject } from "../src/Json.js"
import { chunk } from "./Wire.js"

const plain: Asked = { reasoningIn: "reasoning_content", logprobs: undefined, toolIds: [] }

/** What an answer of these chunks comes to, and whether it is whole. */
export const reading = (chunks: ReadonlyArray<JsonObject>, asked: Partial<Asked> = {}) => {
  const answer = makeAnswer({ ...plain, ...asked })
  const deltas: Array<Delta> = []
  for (const one of chunks) answer.push(one, deltas)
  return { isWhole: answer.end(deltas), deltas }
}

/** The deltas of a whole answer, the end left out. */
export const written = (chunks: ReadonlyArray<JsonObject>, asked: Partial<Asked> = {}): ReadonlyArray<Delta> =>
  reading([...chunks, chunk({}, "stop")], asked).deltas.slice(0, -1)
