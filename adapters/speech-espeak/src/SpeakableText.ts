import type { LanguageCode } from "@trunkline/spoken-text"

/** Letters that the voice of a language spells instead of reading, or drops, with replacements that sound alike. */
const letterReplacements: Partial<Readonly<Record<LanguageCode, ReadonlyArray<readonly [RegExp, string]>>>> = {
  // Assamese has no rra, and a different ra than Bengali.
  "as-IN": [[/\u09AF\u09BC/g, "\u09DF"], [/[\u09DC\u09DD]|[\u09A1\u09A2]\u09BC/g, "\u09F0"], [/\u09B0/g, "\u09F0"]],
  // The canonical form (NFC) of these three is two characters, which the voice does not combine.
  "bn-IN": [[/\u09AF\u09BC/g, "\u09DF"], [/\u09A1\u09BC/g, "\u09DC"], [/\u09A2\u09BC/g, "\u09DD"]],
  "od-IN": [[/\u0B71/g, "\u0B2C"]]
}

/** Replaces letters that the voice of the language does not read. */
const replaceLetters = (text: string, language: LanguageCode): string =>
  (letterReplacements[language] ?? []).reduce(
    (result, [letters, replacement]) => result.replace(letters, replacement),
    text
  )

/** A script that voices of other languages spell letter by letter, mapped to one that all voices read. */
interface ScriptReplacement {
  /** Language whose voice reads the script. */
  readonly nativeLanguage: LanguageCode
  readonly letters: RegExp
  /** Distance to the same letter of the other script: Unicode lays out the scripts of India alike. */
  readonly distance: number
}

const scriptReplacements: ReadonlyArray<ScriptReplacement> = [
  // Odia to Devanagari.
  { nativeLanguage: "od-IN", letters: /[\u0B00-\u0B7F]/g, distance: -0x200 },
  // Telugu to Kannada.
  { nativeLanguage: "te-IN", letters: /[\u0C00-\u0C7F]/g, distance: 0x80 }
]

const shiftBy = (distance: number) => (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + distance)

/** Transliterates scripts that the voice of the language would spell. It reads most other scripts by itself. */
const replaceScripts = (text: string, language: LanguageCode): string =>
  scriptReplacements.reduce(
    (result, { distance, letters, nativeLanguage }) =>
      nativeLanguage === language ? result : result.replace(letters, shiftBy(distance)),
    text
  )

/** A tag of a markup language; the text between tags is kept. */
const markup = /<\/?[a-z][\w:-]*(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?>/gi

/** Emoji, which espeak would name, with their modifiers; joiners count as such unless they follow a letter. */
const emoji =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u20E3|(?<![\p{L}\p{M}])[\u200C\u200D]/gu

/** Control characters, some of which are commands of espeak, lone surrogates, and unassigned characters; not joiners. */
const controls = /(?![\u200C\u200D])\p{C}/gu

/**
 * Prepares a text for espeak: words and punctuation in letters that it can read. Everything that espeak interprets is
 * removed: control characters, markup, and square brackets, which in pairs contain phonemes.
 */
export const speakableText = (text: string, language: LanguageCode): string => {
  const plainText = text
    .replace(/\s+/gu, " ")
    .replace(emoji, "")
    .replace(controls, "")
    .replace(markup, " ")
    .replace(/[<>[\]]/g, " ")
    .replace(/ {2,}/g, " ")
    .trim()
  return replaceScripts(replaceLetters(plainText, language), language)
}

/** True for a text with anything to say: a letter or a digit. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Ends of a sentence and of a clause, before closing quotes and brackets. */
const sentenceEnd = /[.!?…।॥][\s"'”’)}]*$/u
const clauseEnd = /[,;:–—][\s"'”’)}]*$/u

/** Approximate pauses of espeak itself, in seconds at 175 words per minute. */
const pauses = { wordsPerMinute: 175, sentence: 0.28, clause: 0.14 }

/**
 * Pause after a text, in seconds, so that the next text follows as it would within one text: after a sentence, after a
 * clause, and none for a text that is cut between two words.
 */
export const closingPause = (text: string, wordsPerMinute: number): number => {
  const pause = sentenceEnd.test(text) ? pauses.sentence : clauseEnd.test(text) ? pauses.clause : 0
  return pause * pauses.wordsPerMinute / wordsPerMinute
}
