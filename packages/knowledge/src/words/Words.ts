import { stemmer } from "stemmer"

/** Code points of the zeros of the Indic scripts; the other nine digits of a script follow its zero. */
const zeros = [0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66]

const westernDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find((zero) => code >= zero && code < zero + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** Longest word in characters; what is longer is no word of a language. */
const maxWordLength = 64

/**
 * Text as words are compared: in lower case, with Western digits, without the accents of Latin letters and without characters
 * that only join others. The vowel signs of Indic scripts, which are marks too, stay.
 */
const comparable = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff'’]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/\p{Nd}/gu, westernDigit)

/** The words of a text in its order, as they are compared, but not stemmed. */
export const plainWords = (text: string): ReadonlyArray<string> =>
  Array.from(comparable(text).matchAll(/[\p{L}\p{M}\p{N}]+/gu), ([word]) => word.slice(0, maxWordLength))

/** The stem of a word of `plainWords`: by Porter's rules for English, the word itself in other scripts. */
export const stemOf = (word: string): string => /^[a-z]+$/.test(word) ? stemmer(word) : word

/** The stems of the words of a text in its order, which are what an index holds. */
export const stemsOf = (text: string): ReadonlyArray<string> => plainWords(text).map(stemOf)

/** Number of words of a text, by the spaces between them. */
export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0
