import type { Language } from "../languages/Language.js"
import { withEnding } from "./Endings.js"
import { matchAt, perLanguage, type Position, type Reader, type Reading, skipStop, wordEnd } from "./Reader.js"

const dayMillis = 86_400_000

/** Characters searched for words before a date. */
const reach = 40

const wordStart = "(?<![\\p{L}\\p{M}])"

/** Month names from 0, formatted from a date in the middle of each month of 1970. */
const months = perLanguage(({ locale }) => {
  const format = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" })
  return Array.from({ length: 12 }, (_, month) => format.format((15 + month * 30.4) * dayMillis).normalize("NFC"))
})

const english =
  "(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|" +
  "Nov(?:ember)?|Dec(?:ember)?)"

const firstLetters = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const end = "(?![\\d]|[-/.]\\d)"

/** A date in figures. With dots a year of two figures is one of 2020 to 2049, unless a version is spoken of: 5.12.26. */
const numericDate = new RegExp(`(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|(?<!\\.)\\d{2}|(?<=\\.)[2-4]\\d)${end}`, "y")

const dottedYear = /\.\d\d$/

/** Words for versions of programs and for parts of texts, which are numbered with dots too. */
const beforeVersions = new RegExp(
  "(?:version|ver|release|build|firmware|android|ios|app|update|upgrade|patch|v|section|clause|para|point|वर्जन|वर्शन|संस्करण|" +
    "सेक्शन|आवृत्ती|সংস্করণ|সংস্কৰণ|ভার্সন|આવૃત્તિ|વર્ઝન|ਵਰਜ਼ਨ|ସଂସ୍କରଣ|பதிப்பு|వెర్షన్|ಆವೃತ್ತಿ|പതിപ്പ്)\\.?[\\s:]{0,2}(?:is |to |no\\. ?)?$",
  "iu"
)

/** A day and a month without a year; a leading zero distinguishes it from a fraction. */
const dayAndMonth = new RegExp(`(\\d{1,2})/(0[1-9]|(?<=0[1-9]/)1[0-2])(?!\\d|[-/.,]\\d)`, "y")

/** A month and a year, as cards have them; years of two figures are those that cannot be a month or a day before it. */
const monthAndYear = /(0[1-9]|1[0-2])\/((?:20)?[2-4]\d)(?!\d|[-/.,]\d)/y

/** Words for how long cards and goods are good, in all languages. */
const validity = new RegExp(
  `(?:expir|${wordStart}exp${wordEnd}|valid|best before|mfg|mfd|card|` +
    "समाप्त|संप|एक्सपायर|वैध|कार्ड|মেয়াদ|ম্যাদ|કાર્ડ|સમાપ્ત|માન્ય|" +
    "ਮਿਆਦ|ਕਾਰਡ|ବୈଧ|ମିଆଦ|காலாவதி|செல்லுபடி|గడువు|చెల్లు|ಅವಧಿ|ಮಾನ್ಯ|കാലാവധി)[^!?।\\d\\n]{0,24}$",
  "iu"
)

const yearFirst = new RegExp(`(\\d{4})([-/])(\\d{1,2})\\2(\\d{1,2})(?:T(?=\\d{2}:)|${end})`, "y")

const dayAndName = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th)?(?:\\s(?:of\\s)?|-)?${english}${wordEnd}` +
    `(?:\\.?(?:,\\s?|\\s|-)(\\d{4})${end}|(?:-|\\s?')(\\d{2})${end})?`,
  "iuy"
)

const nameAndDay = new RegExp(
  `${english}${wordEnd}\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]|[.,-]\\d|\\s?%)(?:(?:,\\s?|\\s)(\\d{4})${end})?`,
  "iuy"
)

const nameAndYear = new RegExp(`${english}${wordEnd}\\.?,?\\s(\\d{4})${end}`, "iuy")

/** Month of a name from 0, or -1 for a name in lower case: "may" and "march" are other words too. */
const monthOf = (name: string): number =>
  /^[A-Z]/.test(name) ? firstLetters.indexOf(name.slice(0, 3).toLowerCase()) : -1

/** Full year; two figures mean 1970 to 2069. */
const fullYear = (year: string): number =>
  year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year)

/** Words of a date with a month from 0; undefined for a day or a month that does not exist. */
export const dateWords = (
  language: Language,
  day: number,
  month: number,
  year: string | undefined
): string | undefined => {
  const name = months(language)[month]
  if (name === undefined || day < 1 || day > 31) return undefined
  return language.date(day, name, year === undefined ? undefined : language.year(fullYear(year)))
}

/** Day before month as in India, but month before day where only that can be a date. */
const figureWords = (language: Language, first: number, second: number, year: string): string | undefined =>
  second > 12 ? dateWords(language, second, first - 1, year) : dateWords(language, first, second - 1, year)

const readingOf = (
  { at, language, text }: Position,
  match: RegExpExecArray,
  words: string | undefined
): Reading | undefined =>
  words === undefined ? undefined : withEnding(language, text, { words, end: at + match[0].length })

/** Words of 09/28 and 09/2028 as a month and a year, where they are no fraction and no day of a month. */
const readMonthAndYear: Reader = (position) => {
  const { at, language, text } = position
  const match = matchAt(monthAndYear, text, at)
  const [, month = "", year = ""] = match ?? []
  const before = text.slice(Math.max(0, at - reach), at)
  const isCertain = month.startsWith("0") && !/(?:^|\s)on\s$/i.test(before)
  const name = months(language)[Number(month) - 1]
  if (match === null || name === undefined || !(isCertain || validity.test(before))) return undefined
  return readingOf(position, match, `${name} ${language.year(fullYear(year))}`)
}

/**
 * Reads 15/08/2026, 15/08, 15-8-26, 15.08.2026, 15.8.26, 2026-08-15 and 15 Aug 2026, with or without the year and with 15th, and
 * 09/28 as a month of a year.
 */
export const readDateFromDigit: Reader = (position) => {
  const { at, language, text } = position
  const figures = matchAt(numericDate, text, at)
  const isVersion = dottedYear.test(figures?.[0] ?? "") && beforeVersions.test(text.slice(Math.max(0, at - reach), at))
  if (figures !== null && !isVersion) {
    return readingOf(position, figures, figureWords(language, Number(figures[1]), Number(figures[3]), figures[4] ?? ""))
  }
  const iso = matchAt(yearFirst, text, at)
  if (iso !== null) return readingOf(position, iso, dateWords(language, Number(iso[4]), Number(iso[3]) - 1, iso[1]))
  const short = matchAt(dayAndMonth, text, at)
  if (short !== null) {
    return readingOf(position, short, dateWords(language, Number(short[1]), Number(short[2]) - 1, undefined))
  }
  const ofCard = readMonthAndYear(position)
  if (ofCard !== undefined) return ofCard
  const match = matchAt(dayAndName, text, at)
  if (match === null) return undefined
  const [, day, name = "", year, shortYear] = match
  const reading = readingOf(position, match, dateWords(language, Number(day), monthOf(name), year ?? shortYear))
  const isShort = year === undefined && shortYear === undefined
  return reading !== undefined && isShort ? { ...reading, end: skipStop(text, reading.end) } : reading
}

/** Reads Aug 15, 2026 and August 2026. Month names in lower case are not read. */
export const readDateFromMonth: Reader = (position) => {
  const { at, language, text } = position
  const match = matchAt(nameAndDay, text, at)
  if (match !== null) {
    const [, name = "", day, year] = match
    return readingOf(position, match, dateWords(language, Number(day), monthOf(name), year))
  }
  const monthMatch = matchAt(nameAndYear, text, at)
  if (monthMatch === null) return undefined
  const month = months(language)[monthOf(monthMatch[1] ?? "")]
  return readingOf(
    position,
    monthMatch,
    month === undefined ? undefined : `${month} ${language.year(Number(monthMatch[2]))}`
  )
}
