import type { LanguageCode } from "@trunkline/spoken-text"

/** Letters that espeak's voice of a language spells instead of reading, or drops, each with one that sounds alike. */
const unknown: Partial<Readonly<Record<LanguageCode, ReadonlyArray<readonly [RegExp, string]>>>> = {
  // Assamese has no rra of its own, and writes its ra in another way than Bengali.
  "as-IN": [[/\u09AF\u09BC/g, "\u09DF"], [/[\u09DC\u09DD]|[\u09A1\u09A2]\u09BC/g, "\u09F0"], [/\u09B0/g, "\u09F0"]],
  // The canonical form (NFC) of these three is two characters, which the voice does not put together.
  "bn-IN": [[/\u09AF\u09BC/g, "\u09DF"], [/\u09A1\u09BC/g, "\u09DC"], [/\u09A2\u09BC/g, "\u09DD"]],
  "od-IN": [[/\u0B71/g, "\u0B2C"]]
}

/** A text in letters that espeak's voice of its language reads. */
export const inKnownLetters = (text: string, language: LanguageCode): string =>
  (unknown[language] ?? []).reduce((words, [letters, known]) => words.replace(letters, known), text)
