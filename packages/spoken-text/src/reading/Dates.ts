import type { Language } from "../languages/Language.js"
import { matchAt, perLanguage, type Reader, type Reading, skipStop, WORD_END } from "./Reader.js"

const DAY = 86_400_000

/** Month names from 0, formatted from a date in the middle of each month of 1970. */
const months = perLanguage(({ locale }) => {
  const format = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" })
  return Array.from({ length: 12 }, (_, month) => format.format((15 + month * 30.4) * DAY).normalize("NFC"))
})

const english =
  "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|" +
  "Nov(?:ember)?|Dec(?:ember)?)"

const firstLetters = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const end = "(?![\\d]|[-/.]\\d)"

/** A date in figures. With dots it needs a year of four figures, since 1.2.26 is a version number. */
const numericDate = new RegExp(`(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|(?<!\\.)\\d{2})${end}`, "y")

/** A day and a month without a year; a leading zero distinguishes it from a fraction. */
const dayAndMonth = new RegExp(`(\\d{1,2})/(0[1-9]|(?<=0[1-9]/)1[0-2])(?!\\d|[-/.,]\\d)`, "y")

const yearFirst = new RegExp(`(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})(?:T(?=\\d{2}:)|${end})`, "y")

const dayAndName = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th)?(?:\\s(?:of\\s)?|-)?${english}${WORD_END}` +
    `(?:\\.?(?:,\\s?|\\s|-)(\\d{4})${end}|(?:-|\\s?')(\\d{2})${end})?`,
  "iuy"
)

const nameAndDay = new RegExp(
  `${english}${WORD_END}\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]|[.,-]\\d|\\s?%)(?:(?:,\\s?|\\s)(\\d{4})${end})?`,
  "iuy"
)

const nameAndYear = new RegExp(`${english}${WORD_END}\\.?,?\\s(\\d{4})${end}`, "iuy")

/** Month of a name from 0, or -1 for a name in lower case: "may" and "march" are other words too. */
const monthOf = (name: string): number =>
  /^[A-Z]/.test(name) ? firstLetters.indexOf(name.slice(0, 3).toLowerCase()) : -1

/** Full year; two figures mean 1970 to 2069. */
const fullYear = (year: string): number =>
  year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year)

const dateWords = (language: Language, day: number, month: number, year: string | undefined): string | undefined => {
  const name = months(language)[month]
  if (name === undefined || day < 1 || day > 31) return undefined
  return language.date(day, name, year === undefined ? undefined : language.year(fullYear(year)))
}

/** Day before month as in India, but month before day where only that can be a date. */
const figureWords = (language: Language, first: number, second: number, year: string): string | undefined =>
  second > 12 ? dateWords(language, second, first - 1, year) : dateWords(language, first, second - 1, year)

const readingOf = (at: number, found: RegExpExecArray, words: string | undefined): Reading | undefined =>
  words === undefined ? undefined : { words, end: at + found[0].length }

/** Reads 15/08/2026, 15/08, 15-8-26, 15.08.2026, 2026-08-15 and 15 Aug 2026, with or without the year and with 15th. */
export const readDateFromDigit: Reader = ({ at, language, text }) => {
  const figures = matchAt(numericDate, text, at)
  if (figures !== null) {
    return readingOf(at, figures, figureWords(language, Number(figures[1]), Number(figures[3]), figures[4] ?? ""))
  }
  const iso = matchAt(yearFirst, text, at)
  if (iso !== null) return readingOf(at, iso, dateWords(language, Number(iso[4]), Number(iso[3]) - 1, iso[1]))
  const short = matchAt(dayAndMonth, text, at)
  if (short !== null) {
    return readingOf(at, short, dateWords(language, Number(short[1]), Number(short[2]) - 1, undefined))
  }
  const named = matchAt(dayAndName, text, at)
  if (named === null) return undefined
  const [, day, name = "", year, shortYear] = named
  const reading = readingOf(at, named, dateWords(language, Number(day), monthOf(name), year ?? shortYear))
  const isShort = year === undefined && shortYear === undefined
  return reading !== undefined && isShort ? { ...reading, end: skipStop(text, reading.end) } : reading
}

/** Reads Aug 15, 2026 and August 2026. Month names in lower case are not read. */
export const readDateFromMonth: Reader = ({ at, language, text }) => {
  const named = matchAt(nameAndDay, text, at)
  if (named !== null) {
    const [, name = "", day, year] = named
    return readingOf(at, named, dateWords(language, Number(day), monthOf(name), year))
  }
  const found = matchAt(nameAndYear, text, at)
  if (found === null) return undefined
  const month = months(language)[monthOf(found[1] ?? "")]
  return readingOf(at, found, month === undefined ? undefined : `${month} ${language.year(Number(found[2]))}`)
}
