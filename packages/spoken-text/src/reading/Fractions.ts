import type { Language } from "../languages/Language.js"
import { counted } from "./Counting.js"
import { numberWords } from "./Figures.js"
import { matchAt, type Reader } from "./Place.js"
import { unitAt } from "./Units.js"

const written = /(\d{1,4})\/(\d{1,4})(?![\d]|[/.,-]\d)|[½⅓⅔¼¾]/y

const single: Readonly<Record<string, string>> = { "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4" }

const named = (fractions: Language["fractions"], text: string): string | undefined => {
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

/** Reads halves, thirds and quarters, also behind a whole number; other figures with a slash between as "five by eight". */
export const fraction: Reader = ({ at, language, text }) => {
  const found = matchAt(written, text, at)
  if (found === null) return undefined
  const [whole, above = "", below = ""] = found
  const name = named(language.fractions, single[whole] ?? whole)
  const words = name ?? overWords(language, above, below)
  const isPart = name !== undefined && /\d ?$/.test(text.slice(Math.max(0, at - 2), at))
  const said = isPart ? `${language.signs.and} ${words}` : words
  const end = at + whole.length
  const unit = unitAt(text, end)
  if (unit === undefined) return { words: said, end }
  return { words: counted(language.units[unit.unit], !isPart, said), end: unit.end }
}
