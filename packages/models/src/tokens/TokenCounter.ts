import { macroTask } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { estimateTokens, tokensFromWeight, tokenWeight } from "./Estimate.js"

/** UTF-16 units that are estimated without a pause, which takes less than a millisecond. */
const atOnce = 65_536

const estimate = (text: string): Effect.Effect<number> =>
  text.length <= atOnce
    ? Effect.sync(() => estimateTokens(text))
    : Effect.gen(function*() {
      let weight = 0
      for (let from = 0; from < text.length; from += atOnce) {
        if (from > 0) yield* macroTask
        weight += tokenWeight(text, from, Math.min(text.length, from + atOnce))
      }
      return tokensFromWeight(weight)
    })

/** What counts tokens. */
export interface TokenCounterService {
  /**
   * How many tokens a text is: a whole number, 0 for the empty text and never more than its bytes in UTF-8. Long texts
   * are counted with pauses, so that others get their turn; a text that repeats something without a space takes no
   * longer than any other of its length. What a vocabulary takes for a mark of its own, such as `<|endoftext|>`, counts
   * as the text that it is.
   */
  readonly count: (text: string) => Effect.Effect<number>
}

const estimator: TokenCounterService = { count: estimate }

/**
 * Counts the tokens of texts as models do, as nearly as can be known: by the scripts that a text is written in, as
 * `estimateTokens` does, unless a layer puts a real vocabulary in its place.
 */
export class TokenCounter extends Context.Reference<TokenCounter>()("@trunkline/models/TokenCounter", {
  defaultValue: () => estimator
}) {
  /** The estimate that counts where nothing else does. */
  static readonly layer = Layer.succeed(TokenCounter, estimator)
}
