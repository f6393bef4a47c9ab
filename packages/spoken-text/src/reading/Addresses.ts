import type { Language } from "../languages/Language.js"
import { rupeesOf } from "./Money.js"
import { spellDigits } from "./Numbers.js"
import { matchAt, type Reader } from "./Reader.js"
import { dayOf } from "./Weekdays.js"

const mail = /[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,5}/y

const address = /(?:https?:\/\/(?=[\p{L}\p{N}])|www\.)[^\s<>"'“”‘’।|\\^`{}]{0,300}/iuy

const domain =
  /(?:[A-Za-z0-9-]{1,63}\.){1,4}(?:com|in|org|net|io|co|gov|edu|ai|app|dev|info|biz)(?![A-Za-z_-])(?:\/[^\s<>"'“”‘’।|\\^`{}]{0,200})?/y

/** Parts of an address: figures, words, and single marks. */
const parts = /\d+|[\p{L}\p{M}]+|./gu

const partWords = (language: Language, part: string): string => {
  const { and, at, dash, dot, plus, slash, underscore } = language.signs
  const marks: Readonly<Record<string, string>> = {
    ".": dot,
    "/": slash,
    "-": dash,
    "_": underscore,
    "@": at,
    "+": plus,
    "&": and
  }
  if (/\d/.test(part)) return spellDigits(language, part)
  if (!/\p{L}/u.test(part)) return marks[part] ?? ""
  return language.abbreviations[part] ?? rupeesOf(language, part) ?? dayOf(language, part) ?? part
}

/** Removes trailing marks, which belong to the sentence. */
const trimClosing = (writtenText: string): string => {
  let end = writtenText.length
  while (end > 0 && ".,;:!?)]".includes(writtenText.charAt(end - 1))) end--
  return writtenText.slice(0, end)
}

/** Skips full stops that would turn the last word into an abbreviation or an address when the result is normalized again. */
const skipStops = ({ abbreviations }: Language, text: string, last: string, end: number): number => {
  const isJoined = last.toLowerCase() === "www" || abbreviations[`${last}.`] !== undefined
  let past = end
  while (text[past] === "." && isJoined) past++
  return past
}

/** Reads mail and web addresses: words unchanged, figures one by one, marks by name, without `https`. */
export const readAddress: Reader = ({ at, language, text }) => {
  const match = matchAt(mail, text, at) ?? matchAt(address, text, at) ?? matchAt(domain, text, at)
  if (match === null) return undefined
  const writtenText = trimClosing(match[0])
  const reading = (writtenText.replace(/^https?:\/*|\/$/gi, "").match(parts) ?? []).map((part) =>
    partWords(language, part)
  )
  const words = reading.filter((word) => word !== "")
  const last = words.at(-1)
  if (last === undefined) return undefined
  return { words: words.join(" "), end: skipStops(language, text, last, at + writtenText.length) }
}
