import { Context, Layer } from "effect"
import type { LanguageCode } from "./LanguageCode.js"
import { normalized } from "./Normalized.js"

/** Writes out what is read aloud in other words than it is written: numbers, money, dates, times, phone numbers. */
export class TextNormalizer extends Context.Tag("@trunkline/spoken-text/TextNormalizer")<TextNormalizer, {
  /** The text with nothing left but words, in the language's own script where it has words of its own. */
  readonly normalize: (text: string, language: LanguageCode) => string
}>() {
  /** Our rules and tables, and the number words of `to-words`, for all twelve languages. */
  static readonly layer = Layer.succeed(TextNormalizer, { normalize: normalized })
}
