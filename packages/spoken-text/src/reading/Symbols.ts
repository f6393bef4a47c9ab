import { currencyBefore } from "./Money.js"
import { withoutNumber } from "./Numbers.js"
import type { Reader } from "./Reader.js"

/** True when a sign belongs to the number after it: the sign follows nothing, white space or an opening mark. */
const isUnary = (before: string | undefined): boolean => before === undefined || /[\s([{"'“‘:=,;/]/.test(before)

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** Reads single signs: minus and plus next to a number, # before one, @ before a price or a rate, %, & and ₹. */
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
    case "@": {
      const amount = after === " " ? at + 2 : at + 1
      const isRate = isDigit(text[amount]) || currencyBefore(language, text, amount) !== undefined
      return isUnary(before) && isRate ? reading(signs.at) : undefined
    }
    case "%":
      return reading(withoutNumber(language.units.percent))
    case "&":
      return reading(signs.and)
    case "₹":
      return reading(withoutNumber(language.currencies.rupees.whole))
    case "৳":
      return reading(withoutNumber(language.currencies.taka.whole))
    default:
      return undefined
  }
}
