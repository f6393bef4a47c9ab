import { Context, Layer } from "effect"
import type { LanguageCode } from "./LanguageCode.js"
import { normalized } from "./Normalized.js"

/** Writes out what is read aloud in other words than it is written: numbers, money, dates, times, phone numbers. */
export class TextNormalizer extends Context.Tag("@trunkline/spoken-text/TextNormalizer")<TextNormalizer, {
  /** The text with nothing left but words, in the language's own script where it has words of its own. */
  readonly normalize: (text: string, language: LanguageCode) => string
}>() {
  /**
   * Our rules and tables, and the number words of `to-words`, for all twelve languages. They read cardinals with Indian
   * or Western commas, decimals, ordinals, fractions, ranges, percents, units, money, dates, times, phone numbers, codes,
   * mail and web addresses and a few short forms. Six figures such as 125000 are a number; after a word such as "OTP" or
   * "account number", more than seven figures, and figures that begin with a zero, are read one by one. Numbers of 10^14
   * and more are read in groups of figures. A text of 1000 characters takes about 3 ms at worst (measured on Node 20).
   */
  static readonly layer = Layer.succeed(TextNormalizer, { normalize: normalized })
}
