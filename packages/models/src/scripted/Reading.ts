import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"
import type { Usage } from "../answer/Usage.js"
import type { ModelFacts } from "../catalog/ModelFacts.js"
import type { ModelRequest } from "../ModelRequest.js"
import { promptTexts } from "../tokens/PromptTexts.js"
import type { CountsTokens } from "../tokens/TokenCounter.js"

/** Prompt caches keep beginnings of at least so many tokens, in blocks (OpenAI: Prompt caching). */
const cache = { least: 1_024, block: 128 }

/** What is counted without a pause: UTF-16 units, and for how many units one text more stands. */
const atOnce = { units: 65_536, perText: 64 }

/** Counts what a model reads of a request, with pauses. */
const count = (counter: CountsTokens, request: ModelRequest, facts: Pick<ModelFacts, "imageTokens">) =>
  Effect.gen(function*() {
    const { texts, tokens } = promptTexts(request, facts)
    let sum = tokens
    let units = 0
    for (const text of texts) {
      if (units > atOnce.units) {
        yield* macroTask
        units = 0
      }
      units += text.length + atOnce.perText
      sum += yield* counter.count(text)
    }
    return sum
  })

/**
 * What a request takes up. What stands before the latest answer in it was read for that answer, so it is taken to be in
 * a prompt cache.
 */
export const read = (
  counter: CountsTokens,
  request: ModelRequest,
  facts: Pick<ModelFacts, "imageTokens"> = { imageTokens: 0 }
): Effect.Effect<Pick<Usage, "inputTokens" | "cachedTokens">> =>
  Effect.gen(function*() {
    const { messages, model } = request
    const answered = Math.max(0, messages.findLastIndex(({ role }) => role === "assistant"))
    const before = yield* count(counter, { model, messages: messages.slice(0, answered) }, facts)
    const after = yield* count(counter, { ...request, messages: messages.slice(answered) }, facts)
    return {
      inputTokens: before + after,
      cachedTokens: before < cache.least ? 0 : before - before % cache.block
    }
  })
