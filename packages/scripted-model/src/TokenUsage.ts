import { macroTask } from "@trunkline/kernel"
import {
  type Completion,
  type ModelFacts,
  type ModelRequest,
  promptTexts,
  type TokenCounterService,
  type ToolRequest,
  type Usage
} from "@trunkline/models"
import { Effect } from "effect"
import { truncate } from "./Text.js"

/** Prompt caches keep beginnings of at least so many tokens, in blocks (OpenAI: Prompt caching). */
const cache = { least: 1_024, block: 128 }

/** What is counted without a pause: UTF-16 units, and for how many units one text more stands. */
const atOnce = { units: 65_536, perText: 64 }

/** Counts what a model reads of a request, with pauses. */
const count = (counter: TokenCounterService, request: ModelRequest, facts: Pick<ModelFacts, "imageTokens">) =>
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
export const countInput = (
  counter: TokenCounterService,
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

/** An answer as it is meant, before anybody looks at its length. */
export type Draft = Pick<Completion, "finish" | "reasoning" | "refusal" | "text" | "toolRequests">

/** An answer that keeps to its length, and the tokens that it takes. */
export interface LimitedDraft extends Draft {
  readonly outputTokens: number
  readonly reasoningTokens: number
}

interface Fitted {
  readonly text: string
  readonly tokens: number
}

/** As much of a text as so many tokens hold, to the character. */
const fit = (counter: TokenCounterService, text: string, most: number): Effect.Effect<Fitted> =>
  Effect.gen(function*() {
    if (text === "") return { text, tokens: 0 }
    const all = yield* counter.count(text)
    if (all <= most) return { text, tokens: all }
    let fits = { units: 0, tokens: 0 }
    let tooLong = text.length
    while (tooLong - fits.units > 1) {
      const units = Math.floor((fits.units + tooLong) / 2)
      const tokens = yield* counter.count(truncate(text, units))
      if (tokens <= most) fits = { units, tokens }
      else tooLong = units
    }
    return { text: truncate(text, fits.units), tokens: fits.tokens }
  })

/**
 * Counts an answer and cuts it after so many tokens: first comes what was thought, then the words, then the tools, of
 * which the last one may keep a fragment of its arguments. A cut answer ends with `length`.
 */
export const limitOutput = (counter: TokenCounterService, draft: Draft, most = Infinity): Effect.Effect<LimitedDraft> =>
  Effect.gen(function*() {
    let left = most
    let isCut = false
    const take = (text: string) =>
      Effect.map(isCut ? Effect.succeed({ text: "", tokens: 0 }) : fit(counter, text, left), (fitted) => {
        left -= fitted.tokens
        isCut ||= fitted.text.length < text.length
        return fitted
      })
    const reasoning = yield* take(draft.reasoning)
    const refusal = yield* take(draft.refusal ?? "")
    const words = yield* take(draft.text)
    let tokens = reasoning.tokens + refusal.tokens + words.tokens
    const toolRequests: Array<ToolRequest> = []
    for (const { arguments: text, id, name } of draft.toolRequests) {
      const start = yield* take(name)
      if (isCut) break
      const rest = yield* take(text)
      tokens += start.tokens + rest.tokens
      toolRequests.push({ id, name, arguments: rest.text })
    }
    return {
      text: words.text,
      reasoning: reasoning.text,
      refusal: refusal.text === "" ? null : refusal.text,
      toolRequests,
      finish: isCut ? "length" : draft.finish,
      outputTokens: tokens,
      reasoningTokens: reasoning.tokens
    }
  })
