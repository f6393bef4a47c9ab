import type { Language } from "../languages/Language.js"
import { isNounAfter } from "./Counted.js"
import { readEnding } from "./Endings.js"
import { currencyAfter, currencyBefore, moneyWords, rupeesAfter } from "./Money.js"
import { groupDigits, numberAt, type NumberToken, numberWords, quantify, spellGroups } from "./Numbers.js"
import { matchAt, type Reader, type Reading, skipAt } from "./Reader.js"
import { inflectedScaleAt, readScaledMoney, scaleAt, scaledWords } from "./Scales.js"
import { unitAt } from "./Units.js"

const minusSign = /[-−]/y

const rangeDash = /%? ?[-–—] ?/y

/** True for a count rather than a code: no leading zero, and at most seven figures unless they end in `000`. */
const isCount = ({ fraction, isGrouped, whole }: NumberToken): boolean =>
  isGrouped || fraction !== "" || whole.length < 2 ||
  (!whole.startsWith("0") && (whole.length < 8 || whole.endsWith("000")))

/** Second number of a range such as 10-15 or ₹500–₹1,000, unless more figures follow as in longer codes. */
const rangeEnd = (language: Language, text: string, first: NumberToken): NumberToken | undefined => {
  const gap = skipAt(rangeDash, text, first.end)
  if (gap === first.end) return undefined
  const at = currencyBefore(language, text, gap)?.end ?? gap
  const last = /\d/.test(text[at] ?? "") ? numberAt(text, at) : undefined
  if (last === undefined || matchAt(/[-–/:]\d/y, text, last.end) !== null) return undefined
  return isCount(first) && isCount(last) ? last : undefined
}

/** True for a year: 1900 to 1999 always, since counts are said the same way; 2000 to 2099 only after a hint. */
const isYear = (
  { yearHint }: Language,
  text: string,
  at: number,
  { fraction, isGrouped, whole }: NumberToken
): boolean => {
  if (isGrouped || fraction !== "" || !/^(?:19|20)\d\d$/.test(whole)) return false
  return whole.startsWith("19") || (yearHint?.test(text.slice(Math.max(0, at - 12), at)) ?? false)
}

/** Reads a number that counts nothing. */
const readBareNumber = (language: Language, text: string, at: number, number: NumberToken): Reading => {
  const isPartOfWord = number.whole.length > 2 && /[A-Za-z]$|[A-Z]-$/.test(text.slice(Math.max(0, at - 2), at))
  if (isPartOfWord || !isCount(number)) {
    const groups = groupDigits(number.whole)
    return { words: spellGroups(language, groups), end: at + number.whole.length }
  }
  const words = isYear(language, text, at, number)
    ? language.year(Number(number.whole))
    : numberWords(language, number, isNounAfter(language, text, number.end) ? "noun" : "nothing")
  return readEnding(language, text, number.end, number.whole, words) ?? { words, end: number.end }
}

/**
 * Reads numbers that no other reader accepts: cardinals, ordinals, decimals, ranges, money, lakhs and crores, percentages
 * and units. Figures that cannot be a count are read one by one: those with a leading zero, those of more than seven that
 * do not end in `000`, and three or more after a Latin letter.
 */
export const readAmount: Reader = ({ at, language, text }) => {
  const sign = currencyBefore(language, text, at)
  const start = sign?.end ?? at
  const from = sign === undefined ? start : skipAt(minusSign, text, start)
  const first = numberAt(text, from)
  if (first === undefined) return undefined
  const second = rangeEnd(language, text, first)
  const last = second ?? first
  const scale = scaleAt(language, text, last.end, sign !== undefined)
  const scaleReading = scale === undefined ? undefined : readScaledMoney(language, text, last)
  const after = scaleReading?.end ?? last.end
  const behind = (sign?.currency === "rupees" ? rupeesAfter(language, text, after) : undefined) ??
    currencyAfter(language, text, after)
  const currency = sign?.currency ?? behind?.currency
  const withRange = (words: string) =>
    second === undefined ? words : language.range(numberWords(language, first), words)

  const inflection = sign === undefined || scaleReading !== undefined
    ? undefined
    : inflectedScaleAt(language, text, last.end)
  if (sign !== undefined && inflection !== undefined) {
    const name = sign.currency === "rupees" ? language.rupeeEndings[inflection.ending] : undefined
    const words = scaledWords(language, last, inflection.scale, "noun")
    return {
      words: withRange(moneyWords({ language, currency: sign.currency, amount: last, scaledWords: words, name })),
      end: inflection.end
    }
  }
  if (currency !== undefined) {
    const name = behind?.name
    const words = second === undefined || scaleReading !== undefined || first.fraction === ""
      ? withRange(moneyWords({ language, currency, amount: last, scaledWords: scaleReading?.words, name }))
      : language.range(
        moneyWords({ language, currency, amount: first, scaledWords: undefined, name: undefined }),
        moneyWords({ language, currency, amount: last, scaledWords: undefined, name })
      )
    return { words: from > start ? `${language.signs.minus} ${words}` : words, end: behind?.end ?? after }
  }
  if (scale !== undefined) {
    return { words: withRange(scaledWords(language, last, scale.scale, "nothing")), end: scale.end }
  }
  const unit = unitAt(text, last.end)
  if (unit !== undefined) {
    const isOne = second === undefined && last.fraction === "" && Number(last.whole) === 1
    return {
      words: quantify(language.units[unit.unit], isOne, withRange(numberWords(language, last, "noun"))),
      end: unit.end
    }
  }
  if (second !== undefined) return { words: withRange(numberWords(language, second)), end: second.end }
  return readBareNumber(language, text, at, first)
}
