import type { Language } from "../languages/Language.js"
import { numberWords, quantify } from "./Numbers.js"
import { matchAt, type Reader } from "./Reader.js"
import { unitAt } from "./Units.js"

const writtenPattern = /(\d{1,4})\/(\d{1,4})(?![\d]|[/.,-]\d)|[½⅓⅔¼¾]/y

const fractionSigns: Readonly<Record<string, string>> = { "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4" }

const fractionName = (fractions: Language["fractions"], text: string): string | undefined => {
  switch (text) {
    case "1/2":
    case "1/3":
    case "2/3":
    case "1/4":
    case "3/4":
      return fractions[text]
    default:
      return undefined
  }
}

const overWords = (language: Language, above: string, below: string): string => {
  const [first, second] = [above, below].map((whole) => numberWords(language, { whole, fraction: "" }))
  return `${first} ${language.signs.over} ${second}`
}

/** Reads halves, thirds and quarters, also after a whole number, and other fractions as "five by eight". */
export const readFraction: Reader = ({ at, language, text }) => {
  const match = matchAt(writtenPattern, text, at)
  if (match === null) return undefined
  const [whole, above = "", below = ""] = match
  const name = fractionName(language.fractions, fractionSigns[whole] ?? whole)
  const words = name ?? overWords(language, above, below)
  const isPart = name !== undefined && /\d ?$/.test(text.slice(Math.max(0, at - 2), at))
  const reading = isPart ? `${language.signs.and} ${words}` : words
  const end = at + whole.length
  const unit = unitAt(text, end)
  if (unit === undefined) return { words: reading, end }
  return { words: quantify(language.units[unit.unit], !isPart, reading), end: unit.end }
}
