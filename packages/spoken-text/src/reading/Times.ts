import { cardinalWords } from "../languages/Cardinals.js"
import { english } from "../languages/English.js"
import type { Forms, Language } from "../languages/Language.js"
import { isCounted } from "./Counted.js"
import { caseAt, formBehind, isExpected, isOpeningHours } from "./ExpectedTimes.js"
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
  wordEnd
} from "./Reader.js"

const half = `(?:\\s?([ap])(?:\\.?m${wordEnd}))`

const withMinutes = new RegExp(`(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,6})?)?(?![\\d:])${half}?`, "iuy")

const withHalf = new RegExp(`(\\d{1,2})(?:\\.([0-5]\\d))?${half}`, "iuy")

const withPoint = /(\d{1,2})\.([0-5]\d)(?!\d|[.,:/]\d)/uy

/** Railway time such as 0930 hrs and 1830 hrs. Round hours such as 2000 hrs, and 1830 hours without "at", may be a duration. */
const railway = new RegExp(
  `(?:(0\\d)([0-5]\\d)|(1\\d|2[0-3])([0-5][1-9]|[1-5]0)) ?(?=hrs?${wordEnd})|` +
    "(?:(0\\d)([0-5]\\d)|(?<=\\b(?:at|by|from|till|until|to|before|after|around) )(1\\d|2[0-3])([0-5]\\d))" +
    ` ?(?=hours${wordEnd}(?! of\\b))`,
  "iuy"
)

const hourToHalf = new RegExp(`(\\d{1,2})(?=\\s?[-–]\\s?\\d{1,2}(?:\\.[0-5]\\d)?${half})`, "iuy")

const dash = /\s?[-–]\s?(?=\d)/y

const words = perLanguage(({ clock, signs }) => ({
  after: anyOf(Object.keys({ ...english.clock.after, ...clock.after }), `${wordEnd}(?! ?(?:நேர|సమయం|സമയം))`, "iuy"),
  to: anyOf(["to", "till", "until", ...clock.to], "\\s(?=\\d)", "iuy"),
  and: anyOf(["and", signs.and], "\\s(?=\\d)", "iuy")
}))

/** A time on the 24-hour clock; `certain` when the half of the day is known. */
interface Time {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly certain: boolean
}

/** A time in the text. */
interface Written {
  readonly time: Time
  readonly end: number
  /** False for figures with a point or without minutes, which are a time only beside another one. */
  readonly isTime: boolean
  readonly forms: Forms
  /** True when it includes the words after it. */
  readonly isClosed?: true
  /** Half of the day, as it is written. */
  readonly half: string | undefined
}

const timeOf = (hours: string, minutes = "0", seconds = "0", half?: string): Time | undefined => {
  const hour = Number(hours)
  const minute = Number(minutes)
  const second = Number(seconds)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (half === undefined || hour > 12) return { hour, minute, second, certain: hour > 12 || hours.startsWith("0") }
  return { hour: (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0), minute, second, certain: true }
}

const inForm = (words: string, forms: Forms): string => {
  const [end = "", form = ""] = Object.entries(forms).find(([end]) => words.endsWith(end)) ?? []
  return `${words.slice(0, words.length - end.length)}${form}`
}

const partOf = ({ clock }: Language, { certain, hour }: Time): string | undefined =>
  certain ? clock.parts.findLast(([from]) => from <= hour)?.[1] : undefined

const timeWords = (language: Language, { hour, minute, second }: Time, part: string | undefined): string => {
  const reading = language.clock.say(hour % 12 === 0 ? 12 : hour % 12, minute, part)
  if (second === 0) return reading
  return `${reading} ${quantify(language.units.second, second === 1, cardinalWords(language.numbers, second, "noun"))}`
}

/** True when the text before a time already names the part of the day. */
const isPartOfDaySaid = ({ at, language, text }: Position): boolean => {
  const before = text.slice(Math.max(0, at - 24), at).trimEnd()
  const { dayparts, parts } = language.clock
  const isShort = (word: string) => word.endsWith(".") && !/(?:^|[\s(])$/.test(before.slice(0, -word.length))
  return parts.some(([, word]) => before.endsWith(word)) ||
    dayparts.some((word) => before.endsWith(word) && !isShort(word))
}

/** Takes the words and endings after the figures of a time into it. */
const close = (position: Position, clockReading: Written): Written => {
  if (clockReading.isClosed) return clockReading
  const { language, text } = position
  const { after } = words(language)
  const gap = text[clockReading.end] === " " ? clockReading.end + 1 : clockReading.end
  const match = matchAt(after, text, gap)
  if (match !== null) {
    const forms = language.clock.after[(match[1] ?? "").normalize("NFC").toLowerCase()] ?? {}
    return { ...clockReading, forms, isTime: true, isClosed: true, end: gap + match[0].length }
  }
  if (!clockReading.isTime) return clockReading
  const ending = caseAt(language, text, clockReading.end)
  return ending === undefined
    ? { ...clockReading, forms: formBehind(language, text, clockReading.end) ?? clockReading.forms }
    : { ...clockReading, ...ending }
}

/** The time at a position, or figures that may be one. */
const writtenAt = (position: Position): Written | undefined => {
  const { at, text } = position
  const full = matchAt(withMinutes, text, at) ?? matchAt(withHalf, text, at)
  const match = full ?? matchAt(withPoint, text, at) ?? matchAt(railway, text, at)
  if (match === null) return undefined
  const isClock = match[0].includes(":")
  const [hours = "", minutes] = full === null
    ? [match[1] ?? match[3] ?? match[5] ?? match[7], match[2] ?? match[4] ?? match[6] ?? match[8]]
    : []
  const half = full === null ? undefined : isClock ? match[4] : match[3]
  const time = full === null
    ? timeOf(hours, minutes)
    : timeOf(match[1] ?? "", match[2], isClock ? match[3] : "0", half)
  if (time === undefined) return undefined
  const end = at + match[0].length
  const isTime = full !== null || !match[0].includes(".") || isPartOfDaySaid(position) ||
    isExpected(position, end, minutes ?? "")
  // "2.30 hrs" is a length of time; "18.30 hrs" and "02.30 hrs" are times.
  if (!isTime && hours.length === 1 && /^ ?h(?:ou)?rs/i.test(text.slice(end, end + 6))) return undefined
  return close(position, { time, half, isTime, forms: {}, end: half === undefined ? end : skipStop(text, end) })
}

/** Kinds of text between two times. */
type Link = "dash" | "to" | "and"

/** The link after a time and its end. */
const linkAt = ({ language, text }: Position, from: number): readonly [link: Link, end: number] | undefined => {
  const dashEnd = skipAt(dash, text, from)
  if (dashEnd > from) return ["dash", dashEnd]
  const { and, to } = words(language)
  const start = /[ -]/.test(text[from] ?? "") ? from + 1 : from
  const toEnd = skipAt(to, text, start)
  if (toEnd > start) return ["to", toEnd]
  const andEnd = skipAt(and, text, start)
  return andEnd > start ? ["and", andEnd] : undefined
}

/** The first time with the half of the day that is written after the last, unless that is earlier, as in 10-2 pm. */
const shareHalf = ({ half, time }: Written, last: Written): Time => {
  if (half !== undefined || last.half === undefined || time.certain) return time
  const sharedTime = timeOf(String(time.hour), String(time.minute), String(time.second), last.half)
  return sharedTime !== undefined && sharedTime.hour <= last.time.hour ? sharedTime : time
}

const oneReading = (position: Position, { end, forms, time }: Written): Reading => {
  const part = isPartOfDaySaid(position) ? undefined : partOf(position.language, time)
  return { words: inForm(timeWords(position.language, time, part), forms), end }
}

/** Both times; a part of the day that they share is said once unless both are written with a dash in English. */
const pairReading = (position: Position, link: Link, first: Written, last: Written): Reading => {
  const { language } = position
  const start = shareHalf(first, last)
  const from = partOf(language, start)
  const to = partOf(language, last.time)
  const isShared = from === to
  const isPartLast = language.clock.partLast === true
  const isSaidLater = isPartLast && isShared && link !== "dash" && first.half === undefined && start.minute > 0
  const opening = timeWords(language, start, isSaidLater || isPartOfDaySaid(position) ? undefined : from)
  const closing = inForm(timeWords(language, last.time, isShared && !isPartLast ? undefined : to), last.forms)
  const reading = link === "and"
    ? `${opening} ${language.signs.and} ${closing}`
    : language.range(inForm(opening, language.clock.first), closing)
  return { words: reading, end: last.end }
}

const hourAt = ({ at, text }: Position): Written | undefined => {
  const match = matchAt(hourToHalf, text, at)
  const time = match === null ? undefined : timeOf(match[1] ?? "")
  return match === null || time === undefined
    ? undefined
    : { time, end: at + match[0].length, isTime: false, forms: {}, half: undefined }
}

/**
 * Reads 14:30, 2:30 pm, 6 PM, 9-11 am and 9:00-17:00, and with a point 9.30 am, `9.30 बजे`, 18.30 hrs and 9.30 to 10.30 am. The
 * part of the day is said when it is certain: with am and pm, after 12, and with a leading zero; 2:30 alone may be in either
 * half of the day. Figures with a point are a time beside words for times, parts of the day and other times.
 */
export const readTime: Reader = (position) => {
  const first = hourAt(position) ?? writtenAt(position)
  if (first === undefined) return undefined
  const [link, next] = linkAt(position, first.end) ?? []
  if (link !== undefined && next !== undefined) {
    const last = writtenAt({ ...position, at: next })
    const isPair = last !== undefined &&
      (first.isTime || last.isTime ||
        (link !== "and" && isOpeningHours(position, position.text.slice(position.at, last.end)))) &&
      (last.isTime || !isCounted(position.language, position.text, last.end))
    if (isPair) return pairReading(position, link, first, close({ ...position, at: next }, { ...last, isTime: true }))
  }
  return first.isTime ? oneReading(position, first) : undefined
}
