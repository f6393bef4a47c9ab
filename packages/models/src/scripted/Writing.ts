import { Effect } from "effect"
import type { Completion } from "../answer/Completion.js"
import type { ToolRequest } from "../Message.js"
import type { CountsTokens } from "../tokens/TokenCounter.js"
import { head } from "./Glimpse.js"

/** An answer as it is meant, before anybody looks at its length. */
export type Draft = Pick<Completion, "finish" | "reasoning" | "refusal" | "text" | "toolRequests">

/** An answer that keeps to its length, and the tokens that it takes. */
export interface Written extends Draft {
  readonly outputTokens: number
  readonly reasoningTokens: number
}

interface Fitted {
  readonly text: string
  readonly tokens: number
}

/** As much of a text as so many tokens hold, to the character. */
const fit = (counter: CountsTokens, text: string, most: number): Effect.Effect<Fitted> =>
  Effect.gen(function*() {
    if (text === "") return { text, tokens: 0 }
    const all = yield* counter.count(text)
    if (all <= most) return { text, tokens: all }
    let fits = { units: 0, tokens: 0 }
    let tooLong = text.length
    while (tooLong - fits.units > 1) {
      const units = Math.floor((fits.units + tooLong) / 2)
      const tokens = yield* counter.count(head(text, units))
      if (tokens <= most) fits = { units, tokens }
      else tooLong = units
    }
    return { text: head(text, fits.units), tokens: fits.tokens }
  })

/**
 * Counts an answer and cuts it after so many tokens: first comes what was thought, then the words, then the tools, of
 * which the last one may keep a fragment of its arguments. A cut answer ends with `length`.
 */
export const write = (counter: CountsTokens, draft: Draft, most = Infinity): Effect.Effect<Written> =>
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
