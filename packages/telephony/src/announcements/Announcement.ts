import { english } from "./EnglishWords.js"
import { hindi } from "./HindiWords.js"
import { otherLanguages } from "./IndianWords.js"
import { comparable, containsPhrase, partsOf } from "./Phrases.js"
import type { Wording } from "./Wording.js"

/** Reason why a call does not connect, as an exchange told it before the answer. */
export interface Announcement {
  /** The way in which it was told: by words or by a tone. */
  readonly by: "announcement" | "tone"
  /** Words for `failure_reason`, such as `switched off`. */
  readonly name: string
  /** Cause of ITU-T Q.850; null where only that the call does not connect is known. */
  readonly cause: number | null
}

/** Meaning of the wordings of the tables, with their causes of ITU-T Q.850; null for none. */
const meanings: Readonly<Record<Wording["meaning"], { readonly name: string; readonly cause: number } | null>> = {
  congestion: { name: "all lines are busy", cause: 34 },
  invalid: { name: "the number does not exist", cause: 1 },
  barred: { name: "calls are barred", cause: 21 },
  switchedOff: { name: "switched off", cause: 20 },
  unreachable: { name: "not reachable", cause: 20 },
  outOfService: { name: "out of service", cause: 27 },
  busy: { name: "busy", cause: 17 },
  noAnswer: { name: "not answering", cause: 19 },
  tryLater: null,
  checkNumber: { name: "the number does not exist", cause: 1 }
}

/** Meanings from that which counts most: lines that are busy say nothing of a phone, and a number is checked after all else. */
const byPrecedence = [
  "congestion",
  "barred",
  "invalid",
  "switchedOff",
  "unreachable",
  "outOfService",
  "busy",
  "noAnswer",
  "tryLater",
  "checkNumber"
] as const satisfies ReadonlyArray<Wording["meaning"]>

const table = [...english, ...hindi, ...otherLanguages].map(({ meaning, phrases }) => ({
  meaning,
  phrases: phrases.map(partsOf)
}))

/**
 * Reads the words of an announcement that an exchange plays before a call is answered: that a phone is busy, switched off, not
 * reachable or does not answer, that a number does not exist, that calls to it are barred, or that all lines are busy. Null for
 * any other words. It knows the wordings of Indian networks in English, Hindi and eight more languages, and Hindi in Latin and
 * Arabic letters, as transcribers write it. Causes are those of ITU-T Q.850.
 *
 * @example
 * ```ts
 * readAnnouncement("The number you are calling is switched off.") // { by: "announcement", name: "switched off", cause: 20 }
 * ```
 */
export const readAnnouncement = (words: string): Announcement | null => {
  const text = comparable(words)
  const matches = new Set(
    table.filter(({ phrases }) => phrases.some((parts) => containsPhrase(text, parts))).map(({ meaning }) => meaning)
  )
  const first = byPrecedence.find((one) => matches.has(one))
  const meaning = first === undefined ? null : meanings[first]
  return meaning === null ? null : { by: "announcement", ...meaning }
}
