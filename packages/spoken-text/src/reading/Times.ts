import { cardinalWords } from "../languages/Cardinals.js"
import type { Language } from "../languages/Language.js"
import { counted } from "./Counting.js"
import { anyOf, matchAt, pastStop, perLanguage, type Place, type Reader, type Said, skipAt, WORD_END } from "./Place.js"

const half = `(?:\\s?([ap])(?:\\.?m${WORD_END}))`

const withMinutes = new RegExp(`(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,6})?)?(?![\\d:])${half}?`, "iuy")

const withHalf = new RegExp(`(\\d{1,2})(?:\\.([0-5]\\d))?${half}`, "iuy")

const hoursToHalf = new RegExp(`(\\d{1,2})\\s?[-–]\\s?(\\d{1,2})${half}`, "iuy")

const until = /\s?[-–]\s?(?=\d)/y

const afterPattern = perLanguage(({ clock }) => anyOf(clock.after, WORD_END, "iuy"))

/** A time by a clock of 24 hours, and whether that is certain. */
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
  const said = language.clock.say(hour % 12 === 0 ? 12 : hour % 12, minute, certain ? part : undefined)
  if (second === 0) return said
  return `${said} ${counted(language.units.second, second === 1, cardinalWords(language.numbers, second, "noun"))}`
}

/** Whether the part of the day is told already in the text before a time. */
const isTold = ({ at, language, text }: Place): boolean => {
  const before = text.slice(Math.max(0, at - 20), at).trimEnd()
  return language.clock.parts.some(([, word]) => before.endsWith(word))
}

const saidOf = (place: Place, found: RegExpExecArray, time: Time | undefined): Said | undefined => {
  if (time === undefined) return undefined
  const certain = time.certain && !isTold(place)
  const end = place.at + found[0].length
  const isHalf = /m$/i.test(found[0])
  return { words: timeWords(place.language, { ...time, certain }), end: isHalf ? pastStop(place.text, end) : end }
}

const oneAt = (place: Place): Said | undefined => {
  const found = matchAt(withMinutes, place.text, place.at)
  if (found !== null) return saidOf(place, found, timeOf(found[1] ?? "", found[2], found[3], found[4]))
  const hour = matchAt(withHalf, place.text, place.at)
  return hour === null ? undefined : saidOf(place, hour, timeOf(hour[1] ?? "", hour[2], "0", hour[3]))
}

/** 9-11 am: both hours are of the half, but for 10-2 pm. */
const hoursAt = (place: Place): Said | undefined => {
  const found = matchAt(hoursToHalf, place.text, place.at)
  if (found === null) return undefined
  const [, from = "", to = "", half] = found
  const first = timeOf(from, "0", "0", Number(from) > Number(to) ? undefined : half)
  const last = saidOf(place, found, timeOf(to, "0", "0", half))
  if (first === undefined || last === undefined) return undefined
  return { words: place.language.range(timeWords(place.language, first), last.words), end: last.end }
}

const rangeAt = (place: Place): Said | undefined => {
  const first = oneAt(place)
  if (first === undefined) return undefined
  const next = skipAt(until, place.text, first.end)
  const last = next === first.end ? undefined : oneAt({ ...place, at: next })
  return last === undefined ? first : { words: place.language.range(first.words, last.words), end: last.end }
}

/**
 * Reads 14:30, 2:30 pm, 6 PM, 9-11 am and 9:00-17:00. The part of the day is told where it is certain: with am and pm,
 * after 12, and with a zero before the hour; 2:30 alone is half past two of whichever half.
 */
export const time: Reader = (place) => {
  const said = hoursAt(place) ?? rangeAt(place)
  if (said === undefined) return undefined
  const gap = place.text[said.end] === " " ? said.end + 1 : said.end
  const after = skipAt(afterPattern(place.language), place.text, gap)
  return after === gap ? said : { words: said.words, end: after }
}
