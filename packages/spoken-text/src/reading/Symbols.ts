import { currencyBefore } from "./Money.js"
import { withoutNumber } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, type Reader, skipStop } from "./Reader.js"

/** True when a sign belongs to the number after it: the sign follows nothing, white space or an opening mark. */
const isUnary = (before: string | undefined): boolean => before === undefined || /[\s([{"'“‘:=,;/]/.test(before)

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** Reads single signs: minus and plus next to a number, # before one, %, & and ₹. */
export const readSign: Reader = ({ at, language, text }) => {
  const { signs } = language
  const before = text[at - 1]
  const after = text[at + 1]
  const reading = (words: string) => ({ words, end: at + 1 })
  switch (text[at]) {
    case "-":
    case "−": {
      const isNumber = isDigit(after) || after === "." || currencyBefore(language, text, at + 1) !== undefined
      return isUnary(before) && isNumber ? reading(signs.minus) : undefined
    }
    case "+":
      return isDigit(before) || isDigit(after) ? reading(signs.plus) : undefined
    case "#":
      return isDigit(after) ? reading(signs.number) : undefined
    case "%":
      return reading(withoutNumber(language.units.percent))
    case "&":
      return reading(signs.and)
    case "₹":
      return reading(withoutNumber(language.currencies.rupees.whole))
    default:
      return undefined
  }
}

const patterns = perLanguage(({ abbreviations }) => {
  const forms = Object.keys(abbreviations)
  const withStop = forms.filter((form) => form.endsWith("."))
  return [
    anyOf(withStop),
    anyOf(forms.filter((form) => !withStop.includes(form)), "(?![\\p{L}\\p{M}])")
  ]
})

const numbered = /no\. ?(?=\d)/iy

/** Reads abbreviations such as "Dr.", and "No." before a number. */
export const readAbbreviation: Reader = ({ at, language, text }) => {
  const number = matchAt(numbered, text, at)
  if (number !== null) return { words: language.signs.number, end: at + number[0].length }
  for (const pattern of patterns(language)) {
    const found = matchAt(pattern, text, at)
    const words = language.abbreviations[found?.[1] ?? ""]
    if (found === null || words === undefined) continue
    const end = at + found[0].length
    return { words, end: found[0].endsWith(".") ? end : skipStop(text, end) }
  }
  return undefined
}
