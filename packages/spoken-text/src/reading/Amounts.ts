import type { Language } from "../languages/Language.js"
import { counted } from "./Counting.js"
import { endingAt } from "./Endings.js"
import { inGroups, numberAt, numberWords, spelledGroups, type Written } from "./Figures.js"
import { currencyAfter, currencyBefore, moneyWords } from "./Money.js"
import { matchAt, type Reader, type Said, skipAt } from "./Place.js"
import { scaleAt, scaledMoneyAt, scaledWords } from "./Scales.js"
import { unitAt } from "./Units.js"

const minus = /[-−]/y

const between = /%? ?[-–—] ?/y

/** Whether figures are a count and not a code: no zero before others, and at most seven unless they end in `000`. */
const isCount = ({ fraction, grouped, whole }: Written): boolean =>
  grouped || fraction !== "" || whole.length < 2 ||
  (!whole.startsWith("0") && (whole.length < 8 || whole.endsWith("000")))

/** The second number of a range such as 10-15 or ₹500–₹1,000, unless more figures follow as in longer codes. */
const rangeEnd = (language: Language, text: string, first: Written): Written | undefined => {
  const gap = skipAt(between, text, first.end)
  if (gap === first.end) return undefined
  const at = currencyBefore(language, text, gap)?.end ?? gap
  const last = /\d/.test(text[at] ?? "") ? numberAt(text, at) : undefined
  if (last === undefined || matchAt(/[-–/:]\d/y, text, last.end) !== null) return undefined
  return isCount(first) && isCount(last) ? last : undefined
}

/** Whether a bare number is a year: those of 1900 to 1999 sound right as counts too, the next only after a hint. */
const isYear = ({ yearHint }: Language, text: string, at: number, { fraction, grouped, whole }: Written): boolean => {
  if (grouped || fraction !== "" || !/^(?:19|20)\d\d$/.test(whole)) return false
  return whole.startsWith("19") || (yearHint?.test(text.slice(Math.max(0, at - 12), at)) ?? false)
}

/** A number with nothing behind it that it counts. */
const bare = (language: Language, text: string, at: number, number: Written): Said => {
  const isPartOfWord = number.whole.length > 2 && /[A-Za-z]$|[A-Z]-$/.test(text.slice(Math.max(0, at - 2), at))
  if (isPartOfWord || !isCount(number)) {
    const groups = inGroups(number.whole)
    return { words: spelledGroups(language, groups), end: at + number.whole.length }
  }
  const words = isYear(language, text, at, number)
    ? language.year(Number(number.whole))
    : numberWords(language, number)
  return endingAt(language, text, number.end, number.whole, words) ?? { words, end: number.end }
}

/**
 * Reads every number that is not something else: cardinals and ordinals, decimals, ranges, and what is counted in money,
 * lakhs and crores, percents and units. Figures that cannot be a count are read one by one: those that begin with a
 * zero, those of more than seven that do not end in `000`, and three or more behind a Latin letter.
 */
export const amount: Reader = ({ at, language, text }) => {
  const sign = currencyBefore(language, text, at)
  const start = sign?.end ?? at
  const from = sign === undefined ? start : skipAt(minus, text, start)
  const first = numberAt(text, from)
  if (first === undefined) return undefined
  const second = rangeEnd(language, text, first)
  const last = second ?? first
  const scale = scaleAt(language, text, last.end, sign !== undefined)
  const scaled = scale === undefined ? undefined : scaledMoneyAt(language, text, last)
  const after = scaled?.end ?? last.end
  const behind = currencyAfter(language, text, after)
  const currency = sign?.currency ?? behind?.currency
  const ranged = (words: string) => second === undefined ? words : language.range(numberWords(language, first), words)

  if (currency !== undefined) {
    const words = ranged(moneyWords(language, currency, last, scaled?.words))
    return { words: from > start ? `${language.signs.minus} ${words}` : words, end: behind?.end ?? after }
  }
  if (scale !== undefined) return { words: ranged(scaledWords(language, last, scale.scale, "nothing")), end: scale.end }
  const unit = unitAt(text, last.end)
  if (unit !== undefined) {
    const isOne = second === undefined && last.fraction === "" && Number(last.whole) === 1
    return {
      words: counted(language.units[unit.unit], isOne, ranged(numberWords(language, last, "noun"))),
      end: unit.end
    }
  }
  if (second !== undefined) return { words: ranged(numberWords(language, second)), end: second.end }
  return bare(language, text, at, first)
}
