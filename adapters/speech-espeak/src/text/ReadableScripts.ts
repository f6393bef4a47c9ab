import type { LanguageCode } from "@trunkline/spoken-text"

/** A script that espeak spells letter by letter in voices of other languages, and one that it reads everywhere. */
interface Replaced {
  readonly own: LanguageCode
  readonly letters: RegExp
  /** From a letter to the same one of the other script: Unicode lays out the scripts of India alike. */
  readonly distance: number
}

const replaced: ReadonlyArray<Replaced> = [
  // Odia, as Devanagari.
  { own: "od-IN", letters: /[\u0B00-\u0B7F]/g, distance: -0x200 },
  // Telugu, as Kannada.
  { own: "te-IN", letters: /[\u0C00-\u0C7F]/g, distance: 0x80 }
]

const moved = (distance: number) => (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + distance)

/** A text whose words espeak reads as words in the voice of a language. Words in most other scripts it reads by itself. */
export const withReadableScripts = (text: string, language: LanguageCode): string =>
  replaced.reduce(
    (words, { distance, letters, own }) => own === language ? words : words.replace(letters, moved(distance)),
    text
  )
