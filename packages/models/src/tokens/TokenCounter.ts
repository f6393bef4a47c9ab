import { Context, Effect, Layer } from "effect"
import { estimateTokens } from "./Estimate.js"

/** Counts the tokens of texts as models do, as nearly as can be known. */
export class TokenCounter extends Context.Tag("@trunkline/models/TokenCounter")<TokenCounter, {
  /**
   * How many tokens a text is. Long texts are counted with pauses, so that others get their turn; a text that repeats
   * something without a space takes no longer than any other of its length.
   */
  readonly count: (text: string) => Effect.Effect<number>
}>() {
  /** Counts by the scripts that a text is written in, within some 15 % of what large vocabularies make of it. */
  static readonly layer = Layer.succeed(TokenCounter, {
    count: (text) => Effect.sync(() => estimateTokens(text))
  })
}
