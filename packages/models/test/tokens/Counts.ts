import { samples } from "./Samples.js"

/** Texts that are no talk, and all samples in one. */
export const otherTexts = {
  all: Object.values(samples).join("\n\n"),
  capitals: (samples["English"] ?? "").toUpperCase(),
  hex: "9f3b0c71e2d84a56".repeat(40),
  base64: "aGVsbG8gV29ybGQh0J/RgNC40LLQtdGCZz09Kw".repeat(20)
}

/** Tokens of the other texts by o200k_base. */
export const otherCounts: Readonly<Record<keyof typeof otherTexts, number>> = {
  all: 2989,
  capitals: 152,
  hex: 481,
  base64: 481
}

/**
 * Tokens of the samples by o200k_base. `test/clients/TokenCounts.full.test.ts` holds them against gpt-tokenizer, whose
 * vocabularies `npm ci` leaves out.
 */
export const sampleCounts: Readonly<Record<string, number>> = {
  English: 115,
  Hindi: 119,
  Marathi: 134,
  Bengali: 102,
  Assamese: 114,
  Tamil: 113,
  Telugu: 114,
  Kannada: 100,
  Malayalam: 90,
  Gujarati: 114,
  Punjabi: 148,
  Odia: 283,
  Urdu: 101,
  Hinglish: 94,
  "Hindi and English": 78,
  German: 74,
  Russian: 68,
  Arabic: 74,
  Chinese: 74,
  Japanese: 74,
  Korean: 66,
  Thai: 87,
  Emoji: 33,
  TypeScript: 106,
  Python: 90,
  JSON: 115,
  "JSON on lines": 142,
  Prompt: 102,
  Numbers: 63
}
