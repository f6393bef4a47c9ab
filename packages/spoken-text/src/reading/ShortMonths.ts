import type { Language } from "../languages/Language.js"
import { dateWords } from "./Dates.js"
import { anyOf, matchAt, perLanguage, type Reader, type Reading, skipStop } from "./Reader.js"

const stop = "(?:\\.(?!\\.)|॰|0(?!\\d))"

const year = "(?:,?\\s(\\d{4})(?!\\d|[-/.,]\\d))?"

/** Short names of months in the language's script beside a day, with their stop, and the months from 0. */
const patterns = perLanguage(({ shortMonths }) => {
  const forms = shortMonths.flatMap((names, month) =>
    names.split("|").flatMap((name) => name === "" ? [] : [[name, month] as const])
  )
  const name = anyOf(forms.map(([form]) => form)).source
  return {
    months: new Map(forms),
    dayFirst: new RegExp(`(\\d{1,2})[ -]?${name}${stop}${year}`, "uy"),
    nameFirst: new RegExp(`${name}${stop}\\s?(\\d{1,2})(?![\\d:]|[.,/-]\\d|\\s?%)${year}`, "uy")
  }
})

/** Reading of a date of which the stop after the month stays where it may end a sentence. */
const readingOf = (
  language: Language,
  text: string,
  end: number,
  [day, month, year]: readonly [string | undefined, number | undefined, string | undefined]
): Reading | undefined => {
  const words = month === undefined ? undefined : dateWords(language, Number(day), month, year)
  if (words === undefined) return undefined
  return text[end - 1] === "." ? { words, end: skipStop(text, end - 1) } : { words, end }
}

/** Reads a day with the short name of a month in a script of India: `5 जन.`, `12 फ़र. 2026`, `ஜன. 5`. */
export const readShortMonth: Reader = ({ at, language, text }) => {
  const { dayFirst, months, nameFirst } = patterns(language)
  const isDayFirst = "0123456789".includes(text.charAt(at))
  const match = matchAt(isDayFirst ? dayFirst : nameFirst, text, at)
  if (match === null) return undefined
  const [whole, first, second, year] = match
  const [day, name = ""] = isDayFirst ? [first, second] : [second, first]
  return readingOf(language, text, at + whole.length, [day, months.get(name), year])
}
