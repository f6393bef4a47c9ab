import { dravidian } from "./Dravidian.js"
import { english, romanHindi } from "./English.js"
import { indoAryan } from "./IndoAryan.js"
import { phraseFinder, type RefusalWords } from "./Phrase.js"

/** Sentences of what a caller says: transcripts have marks of all scripts, or none. */
const sentenceEnd = /[.!?;।॥\n]+/u

/** Characters of a text that are looked at; a turn of speech is shorter. */
const maxCharacters = 4_000

const wordsOf = (sentence: string): ReadonlyArray<string> =>
  sentence.normalize("NFC").toLowerCase().replaceAll("’", "'").match(/[\p{L}\p{M}\p{N}'\u200c\u200d]+/gu) ?? []

const finderOf = (words: RefusalWords): (sentence: ReadonlyArray<string>) => boolean => {
  const [always, unlessQualified, qualifiers, exceptions] = [
    words.always,
    words.unlessQualified,
    words.qualifiers,
    words.exceptions ?? []
  ].map(phraseFinder)
  return (sentence) =>
    exceptions?.(sentence) !== true &&
    (always?.(sentence) === true || (unlessQualified?.(sentence) === true && qualifiers?.(sentence) !== true))
}

const finders = [english, romanHindi, ...indoAryan, ...dravidian].map(finderOf)

/**
 * Finds the sentence in which a caller refuses all further calls, such as "Don't call me again" or "मेरा नंबर लिस्ट से हटा दो";
 * null without one. All twelve languages, and Hindi in Latin letters, are looked for at once, since callers mix them. A
 * sentence that refuses one call ("Don't call me now", "not at the office") is none.
 */
export const findRefusal = (text: string): string | null => {
  for (const sentence of text.slice(0, maxCharacters).split(sentenceEnd)) {
    const words = wordsOf(sentence)
    if (finders.some((isRefusal) => isRefusal(words))) return sentence.trim()
  }
  return null
}
