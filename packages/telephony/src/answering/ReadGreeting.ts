import { containsPhrase, partsOf } from "../announcements/Phrases.js"
import { englishAnswers } from "./EnglishAnswers.js"
import { englishGreetings } from "./EnglishGreetings.js"
import type { GreetingCue } from "./GreetingCue.js"
import { makePhraseMatcher } from "./GreetingPatterns.js"
import { beginsWithNumber, greetingWords, introducesName, speaksOfOther, withoutSalutation } from "./GreetingWords.js"
import { hindiAnswers } from "./HindiAnswers.js"
import { hindiGreetings } from "./HindiGreetings.js"
import { otherGreetings } from "./OtherGreetings.js"
import { withoutPersonQuestions } from "./PersonQuestions.js"

/** Meaning of the first words of an answered call; null for words that any of them could begin with, such as "hello". */
export type GreetingMeaning = GreetingCue["meaning"] | null

const cues = [...englishGreetings, ...englishAnswers, ...hindiGreetings, ...hindiAnswers, ...otherGreetings]

/**
 * Meanings from that which counts most: a service that screens says words of the others, a recording those of people, and a
 * person those with which greetings open.
 */
const byPrecedence = ["screening", "ivr", "machine", "recording", "person", "opening", "office"] as const

const makeTable = () =>
  byPrecedence.map((meaning) => ({
    meaning,
    matches: makePhraseMatcher(cues.filter((cue) => cue.meaning === meaning).flatMap(({ phrases }) => phrases))
  }))

/** The table of all phrases, made for the first call: most processes start without one. */
let table: ReturnType<typeof makeTable> | null = null

/** Questions of people in which a message is spoken of. */
const offers = ["take a message", "want to leave", "like to leave", "any message", "koi message", "कोई संदेश", "कोई मैसेज"]
  .map(partsOf)

/** Beginnings that make such a question a part of a recording. */
const conditions = ["if you", "agar", "अगर"].map(partsOf)

const isOffer = (text: string): boolean =>
  offers.some((parts) => containsPhrase(text, parts)) && !conditions.some((parts) => containsPhrase(text, parts))

/** Requests that only a machine makes, whoever it speaks of. */
const requests = ["leave a message", "leave your", "the beep", "the tone"].map(partsOf)

const asksForMessage = (text: string): boolean => requests.some((parts) => containsPhrase(text, parts))

/** Characters of a greeting that are read: 30 seconds of speech. */
const maxCharacters = 500

/**
 * Reads who or what has answered a call from the words it begins with: a screening service, a menu, an answering machine, or a
 * person. It knows English, Hindi in both its letters and mixed with English, and the usual requests for a message in nine more
 * languages. Null for words that tell nothing, `recording` for those of some recording whose next words tell which, and `opening`
 * for those of a greeting that somebody recorded or says.
 *
 * @example
 * ```ts
 * readGreeting("He is not available right now.") // "person"
 * readGreeting("Please leave a message after the tone.") // "machine"
 * ```
 */
export const readGreeting = (words: string): GreetingMeaning => {
  const text = greetingWords(words.slice(0, maxCharacters))
  if (text.trim() === "") return null
  if (isOffer(text)) return "person"
  const rest = withoutSalutation(text)
  table ??= makeTable()
  if (speaksOfOther(rest) && !asksForMessage(text)) return "person"
  const others = withoutPersonQuestions(text)
  const cue = table.find(({ matches, meaning }) => {
    const words = meaning === "screening" ? others : text
    return matches(words, words.length - withoutSalutation(words).length)
  })
  const meaning = cue?.meaning ?? null
  if ((meaning === null || meaning === "opening") && beginsWithNumber(rest)) return "recording"
  return meaning === null && introducesName(text) ? "opening" : meaning
}
