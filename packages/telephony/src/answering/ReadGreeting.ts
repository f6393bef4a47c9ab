import { comparable, containsPhrase, partsOf } from "../announcements/Phrases.js"
import { englishAnswers } from "./EnglishAnswers.js"
import { englishGreetings } from "./EnglishGreetings.js"
import type { GreetingCue } from "./GreetingCue.js"
import { hindiAnswers } from "./HindiAnswers.js"
import { hindiGreetings } from "./HindiGreetings.js"
import { otherGreetings } from "./OtherGreetings.js"

/** Meaning of the first words of an answered call; null for words that any of them could begin with, such as "hello". */
export type GreetingMeaning = GreetingCue["meaning"] | null

/** Meanings from that which counts most: a service that screens says words of the others, and a recording those of people. */
const byPrecedence = ["screening", "ivr", "machine", "recording", "person", "office"] as const satisfies ReadonlyArray<
  GreetingCue["meaning"]
>

/** A phrase as it is looked for; one with `^` at the beginning of the call only. */
interface Pattern {
  readonly parts: ReadonlyArray<string>
  readonly isFirst: boolean
}

const patternOf = (phrase: string): Pattern => ({ parts: partsOf(phrase), isFirst: phrase.startsWith("^") })

const matches = (text: string, { isFirst, parts }: Pattern): boolean =>
  isFirst ? text.startsWith(parts[0] ?? "") : containsPhrase(text, parts)

const table = byPrecedence.map((meaning) => ({
  meaning,
  phrases: [...englishGreetings, ...englishAnswers, ...hindiGreetings, ...hindiAnswers, ...otherGreetings]
    .filter((cue) => cue.meaning === meaning)
    .flatMap(({ phrases }) => phrases.map(patternOf))
}))

/** Questions of people in which a message is spoken of. */
const offers = ["take a message", "want to leave", "like to leave", "any message", "koi message", "कोई संदेश", "कोई मैसेज"]
  .map(partsOf)

/** Beginnings that make such a question a part of a recording. */
const conditions = ["if you", "agar", "अगर"].map(partsOf)

const isOffer = (text: string): boolean =>
  offers.some((parts) => containsPhrase(text, parts)) && !conditions.some((parts) => containsPhrase(text, parts))

/** Characters of a greeting that are read: 30 seconds of speech. */
const maxCharacters = 500

/**
 * Reads who or what has answered a call from the words it begins with: a screening service, a menu, an answering machine, or a
 * person. It knows English, Hindi in both its letters and mixed with English, and the usual requests for a message in nine more
 * languages. Null for words that tell nothing, and `recording` for those of some recording whose next words tell which.
 *
 * @example
 * ```ts
 * readGreeting("He is not available right now.") // "person"
 * readGreeting("Please leave a message after the tone.") // "machine"
 * ```
 */
export const readGreeting = (words: string): GreetingMeaning => {
  const text = comparable(words.slice(0, maxCharacters))
  if (text.trim() === "") return null
  if (isOffer(text)) return "person"
  return table.find(({ phrases }) => phrases.some((pattern) => matches(text, pattern)))?.meaning ?? null
}
