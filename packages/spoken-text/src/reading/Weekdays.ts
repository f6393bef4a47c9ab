import { isAbbreviationStop, reach } from "../clauses/Abbreviations.js"
import type { Language } from "../languages/Language.js"
import { matchAt, perLanguage, type Reader } from "./Reader.js"

const dayMillis = 86_400_000

/** Names of the days from Sunday, formatted from the first week of 1970 that begins with one. */
const days = perLanguage(({ locale }) => {
  const format = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" })
  return Array.from({ length: 7 }, (_, day) => format.format((3.5 + day) * dayMillis).normalize("NFC"))
})

const firstLetters = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

const name = "(Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)"

const isDay = new RegExp(`^${name}$`)

/** Name of a day in a language for its short English name. */
export const dayOf = (language: Language, writtenText: string): string | undefined =>
  isDay.test(writtenText) ? days(language)[firstLetters.indexOf(writtenText.slice(0, 3))] : undefined

const range = new RegExp(`${name}\\.?(?: ?[-–] ?| (?:to|till|through) )${name}(?![\\p{L}\\p{M}])`, "uy")

/** A day with a stop, or before a figure as in "Sat, 5 Aug" and "Sat 10 am". */
const single = new RegExp(`${name}(?=\\.|,? \\d)`, "uy")

/** Reads short English names of days: Mon. to Fri., Mon-Sat, Wed., 5 Aug. */
export const readWeekday: Reader = ({ at, language, text }) => {
  const match = matchAt(range, text, at) ?? matchAt(single, text, at)
  if (match === null) return undefined
  const [whole, first = "", last] = match
  const [from, to] = [dayOf(language, first), dayOf(language, last ?? "")]
  if (from === undefined) return undefined
  const end = at + whole.length
  const isInside = text[end] === "." && isAbbreviationStop(last ?? first, text.slice(end + 1, end + 1 + reach))
  return {
    words: to === undefined ? from : language.range(from, to),
    end: isInside ? end + 1 : end
  }
}
