import { macroTask } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { estimateTokens, tokensFromWeight, tokenWeight } from "./Estimate.js"

/** UTF-16 units that are estimated between two pauses: less than a millisecond. */
const atOnce = 65_536

const estimate = (text: string): Effect.Effect<number> =>
  text.length <= atOnce
    ? Effect.succeed(estimateTokens(text))
    : Effect.gen(function*() {
      let weight = 0
      for (let from = 0; from < text.length; from += atOnce) {
        if (from > 0) yield* macroTask
        weight += tokenWeight(text, from, Math.min(text.length, from + atOnce))
      }
      return tokensFromWeight(weight)
    })

/** The service behind `TokenCounter`. */
export interface TokenCounterService {
  /**
   * Counts the tokens of a text: a whole number, 0 for the empty text and at most its bytes in UTF-8. Counting a long
   * text yields to other fibers; hostile texts take no longer than others of the same length. Special tokens of a
   * vocabulary, such as `<|endoftext|>`, count as plain text.
   */
  readonly count: (text: string) => Effect.Effect<number>
}

const estimator: TokenCounterService = { count: estimate }

/**
 * Counts the tokens of texts. The default estimates them by the scripts of a text; a layer such as `TokensGpt.layer()`
 * of `@trunkline/tokens-gpt` counts exactly.
 */
export class TokenCounter extends Context.Reference<TokenCounter>()("@trunkline/models/TokenCounter", {
  defaultValue: () => estimator
}) {
  /** The default: an estimate by the scripts of a text. */
  static readonly layer = Layer.succeed(TokenCounter, estimator)
}
