import { uncounted } from "./Counting.js"
import { currencyBefore } from "./Money.js"
import type { Reader } from "./Place.js"

/** Whether a sign before a number belongs to it: nothing is before the sign, or a gap or an opening mark. */
const opens = (before: string | undefined): boolean => before === undefined || /[\s([{"'“‘:=,;/]/.test(before)

const isFigure = (character: string | undefined): boolean => character !== undefined && /\d/.test(character)

/** Reads signs that stand alone: minus and plus by a number, # before one, %, & and ₹. */
export const sign: Reader = ({ at, language, text }) => {
  const { signs } = language
  const before = text[at - 1]
  const after = text[at + 1]
  const said = (words: string) => ({ words, end: at + 1 })
  switch (text[at]) {
    case "-":
    case "−": {
      const isNumber = isFigure(after) || after === "." || currencyBefore(language, text, at + 1) !== undefined
      return opens(before) && isNumber ? said(signs.minus) : undefined
    }
    case "+":
      return isFigure(before) || isFigure(after) ? said(signs.plus) : undefined
    case "#":
      return isFigure(after) ? said(signs.number) : undefined
    case "%":
      return said(uncounted(language.units.percent))
    case "&":
      return said(signs.and)
    case "₹":
      return said(uncounted(language.currencies.rupees.whole))
    default:
      return undefined
  }
}
