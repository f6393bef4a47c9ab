import { english } from "./EnglishWords.js"
import { hindi } from "./HindiWords.js"
import { otherLanguages } from "./IndianWords.js"
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

/** Marks that transcribers write or leave out: nuktas, joiners and accents. Candrabindus are written as anusvaras. */
const optionalMarks = /[\u0300-\u036F\u093C\u09BC\u0A3C\u0ABC\u0B3C\u200B-\u200D\u2060\uFEFF]/gu

const candrabindu = /[\u0901\u0981\u0A01\u0A81\u0B01]/gu

/** Text as it is compared: lower case, without punctuation and optional marks, with single spaces around each word. */
const comparable = (text: string): string => {
  const letters = text.normalize("NFD").replace(optionalMarks, "").toLowerCase()
    .replace(candrabindu, (mark) => String.fromCodePoint((mark.codePointAt(0) ?? 0) + 1))
    .replaceAll("'", "")
    .replaceAll("\u2019", "")
  return ` ${letters.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `
}

/** Parts of a wording that must come in this order; a part may end within a word, so that endings do not matter. */
const partsOf = (phrase: string): ReadonlyArray<string> =>
  phrase.split("…").map((part) => ` ${comparable(part).trim()}`)

const table = [...english, ...hindi, ...otherLanguages].map(({ meaning, phrases }) => ({
  meaning,
  phrases: phrases.map(partsOf)
}))

/** Letters between two parts of a wording, at most: they belong to one sentence. */
const maxGap = 60

const contains = (text: string, parts: ReadonlyArray<string>): boolean => {
  const [first = "", ...others] = parts
  for (let from = text.indexOf(first); from >= 0; from = text.indexOf(first, from + 1)) {
    let at = from + first.length
    const holds = others.every((part) => {
      const next = text.slice(at, at + maxGap + part.length).indexOf(part)
      at += next + part.length
      return next >= 0
    })
    if (holds) return true
  }
  return false
}

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
    table.filter(({ phrases }) => phrases.some((parts) => contains(text, parts))).map(({ meaning }) => meaning)
  )
  const first = byPrecedence.find((one) => matches.has(one))
  const meaning = first === undefined ? null : meanings[first]
  return meaning === null ? null : { by: "announcement", ...meaning }
}
