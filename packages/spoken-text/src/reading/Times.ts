import { cardinalWords } from "../languages/Cardinals.js"
import type { Language } from "../languages/Language.js"
import { quantify } from "./Numbers.js"
import {
  anyOf,
  matchAt,
  perLanguage,
  type Position,
  type Reader,
  type Reading,
  skipAt,
  skipStop,
  WORD_END
} from "./Reader.js"

const half = `(?:\\s?([ap])(?:\\.?m${WORD_END}))`

const withMinutes = new RegExp(`(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,6})?)?(?![\\d:])${half}?`, "iuy")

const withHalf = new RegExp(`(\\d{1,2})(?:\\.([0-5]\\d))?${half}`, "iuy")

const hoursToHalf = new RegExp(`(\\d{1,2})\\s?[-–]\\s?(\\d{1,2})${half}`, "iuy")

const until = /\s?[-–]\s?(?=\d)/y

const afterPattern = perLanguage(({ clock }) => anyOf(clock.after, WORD_END, "iuy"))

/** A time on the 24-hour clock; `certain` when the half of the day is known. */
interface Time {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly certain: boolean
}

const timeOf = (hours: string, minutes = "0", seconds = "0", half?: string): Time | undefined => {
  const hour = Number(hours)
  const minute = Number(minutes)
  const second = Number(seconds)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (half === undefined || hour > 12) return { hour, minute, second, certain: hour > 12 || hours.startsWith("0") }
  return { hour: (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0), minute, second, certain: true }
}

const timeWords = (language: Language, { certain, hour, minute, second }: Time): string => {
  const part = language.clock.parts.findLast(([from]) => from <= hour)?.[1]
  const reading = language.clock.say(hour % 12 === 0 ? 12 : hour % 12, minute, certain ? part : undefined)
  if (second === 0) return reading
  return `${reading} ${quantify(language.units.second, second === 1, cardinalWords(language.numbers, second, "noun"))}`
}

/** True when the text before a time already names the part of the day. */
const isPartOfDaySaid = ({ at, language, text }: Position): boolean => {
  const before = text.slice(Math.max(0, at - 20), at).trimEnd()
  return language.clock.parts.some(([, word]) => before.endsWith(word))
}

const readingOf = (position: Position, found: RegExpExecArray, time: Time | undefined): Reading | undefined => {
  if (time === undefined) return undefined
  const certain = time.certain && !isPartOfDaySaid(position)
  const end = position.at + found[0].length
  const isHalf = /m$/i.test(found[0])
  return { words: timeWords(position.language, { ...time, certain }), end: isHalf ? skipStop(position.text, end) : end }
}

const oneAt = (position: Position): Reading | undefined => {
  const found = matchAt(withMinutes, position.text, position.at)
  if (found !== null) return readingOf(position, found, timeOf(found[1] ?? "", found[2], found[3], found[4]))
  const hour = matchAt(withHalf, position.text, position.at)
  return hour === null ? undefined : readingOf(position, hour, timeOf(hour[1] ?? "", hour[2], "0", hour[3]))
}

/** Reads 9-11 am, with both hours in the given half of the day unless the first is larger, as in 10-2 pm. */
const hoursAt = (position: Position): Reading | undefined => {
  const found = matchAt(hoursToHalf, position.text, position.at)
  if (found === null) return undefined
  const [, from = "", to = "", half] = found
  const first = timeOf(from, "0", "0", Number(from) > Number(to) ? undefined : half)
  const last = readingOf(position, found, timeOf(to, "0", "0", half))
  if (first === undefined || last === undefined) return undefined
  return { words: position.language.range(timeWords(position.language, first), last.words), end: last.end }
}

const rangeAt = (position: Position): Reading | undefined => {
  const first = oneAt(position)
  if (first === undefined) return undefined
  const next = skipAt(until, position.text, first.end)
  const last = next === first.end ? undefined : oneAt({ ...position, at: next })
  return last === undefined ? first : { words: position.language.range(first.words, last.words), end: last.end }
}

/**
 * Reads 14:30, 2:30 pm, 6 PM, 9-11 am and 9:00-17:00. The part of the day is said when it is certain: with am and pm, after
 * 12, and with a leading zero; 2:30 alone may be in either half of the day.
 */
export const readTime: Reader = (position) => {
  const reading = hoursAt(position) ?? rangeAt(position)
  if (reading === undefined) return undefined
  const gap = position.text[reading.end] === " " ? reading.end + 1 : reading.end
  const after = skipAt(afterPattern(position.language), position.text, gap)
  return after === gap ? reading : { words: reading.words, end: after }
}
