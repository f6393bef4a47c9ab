import { macroTask, valueNow } from "@trunkline/kernel"
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

/** Minimum prefix of a prompt cache and its block size, in tokens (as in OpenAI's prompt caching). */
const cache = { least: 1_024, block: 128 }

/** Work between two pauses: UTF-16 units, and units that each text counts on top. */
const atOnce = { units: 65_536, perText: 64 }

/**
 * Counts the input of a request, and yields to other fibers in between. A counter that answers at once takes no step of the
 * fiber for a text.
 */
const count = (
  counter: TokenCounterService,
  request: ModelRequest,
  facts: Pick<ModelFacts, "imageTokens">
): Effect.Effect<number> =>
  Effect.suspend(() => {
    const { texts, tokens } = promptTexts(request, facts)
    let sum = tokens
    let units = 0
    const countFrom = (first: number): Effect.Effect<number> => {
      for (let at = first; at < texts.length; at++) {
        if (units > atOnce.units) {
          units = 0
          return Effect.flatMap(macroTask, () => countFrom(at))
        }
        const text = texts[at] ?? ""
        units += text.length + atOnce.perText
        const counting = counter.count(text)
        const countNow = valueNow(counting)
        if (countNow === undefined) {
          return Effect.flatMap(counting, (tokenCount) => {
            sum += tokenCount
            return countFrom(at + 1)
          })
        }
        sum += countNow
      }
      return Effect.succeed(sum)
    }
    return countFrom(0)
  })

/**
 * Counts the input of a request. The part before the latest answer counts as cached, because it was the input of that
 * answer.
 */
export const countInput = (
  counter: TokenCounterService,
  request: ModelRequest,
  facts: Pick<ModelFacts, "imageTokens"> = { imageTokens: 0 }
): Effect.Effect<Pick<Usage, "inputTokens" | "cachedTokens">> =>
  Effect.gen(function*() {
    const { messages, model } = request
    const lastAnswer = Math.max(0, messages.findLastIndex(({ role }) => role === "assistant"))
    const before = yield* count(counter, { model, messages: messages.slice(0, lastAnswer) }, facts)
    const after = yield* count(counter, { ...request, messages: messages.slice(lastAnswer) }, facts)
    return {
      inputTokens: before + after,
      cachedTokens: before < cache.least ? 0 : before - before % cache.block
    }
  })

/** An answer before its length is limited. */
export type Draft = Pick<Completion, "finish" | "reasoning" | "refusal" | "text" | "toolRequests">

/** An answer within its limit, with its token counts. */
export interface LimitedDraft extends Draft {
  readonly outputTokens: number
  readonly reasoningTokens: number
}

interface Fitted {
  readonly text: string
  readonly tokens: number
}

/** Truncates a text to so many tokens, to the character. */
const fit = (counter: TokenCounterService, text: string, max: number): Effect.Effect<Fitted> =>
  Effect.gen(function*() {
    if (text === "") return { text, tokens: 0 }
    const wholeTokens = yield* counter.count(text)
    if (wholeTokens <= max) return { text, tokens: wholeTokens }
    let fits = { units: 0, tokens: 0 }
    let tooLong = text.length
    while (tooLong - fits.units > 1) {
      const units = Math.floor((fits.units + tooLong) / 2)
      const tokens = yield* counter.count(truncate(text, units))
      if (tokens <= max) fits = { units, tokens }
      else tooLong = units
    }
    return { text: truncate(text, fits.units), tokens: fits.tokens }
  })

/**
 * Counts an answer and truncates it to so many tokens: thoughts first, then text, then tool calls, of which the last
 * one may keep a fragment of its arguments. A truncated answer ends with `length`.
 */
export const limitOutput = (counter: TokenCounterService, draft: Draft, max = Infinity): Effect.Effect<LimitedDraft> =>
  Effect.gen(function*() {
    let remaining = max
    let isCut = false
    const take = (text: string) =>
      Effect.map(isCut ? Effect.succeed({ text: "", tokens: 0 }) : fit(counter, text, remaining), (piece) => {
        remaining -= piece.tokens
        isCut ||= piece.text.length < text.length
        return piece
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
