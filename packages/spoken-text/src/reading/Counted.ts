import type { Language } from "../languages/Language.js"
import { currencyAfter } from "./Money.js"
import { formsOf } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, wordEnd } from "./Reader.js"
import { scaleAt } from "./Scales.js"
import { unitAt } from "./Units.js"

const nouns = perLanguage(({ countNouns, currencies, units }) => {
  const parts = Object.values(currencies).flatMap(({ part }) => formsOf(part))
  const forms = [...Object.values(units).flatMap(formsOf), ...parts].filter((form) => !form.includes("{}"))
  return anyOf([...new Set([...forms, ...countNouns])], wordEnd, "iuy")
})

/** True when a noun that is counted in words follows a number: a unit, a part of a currency, days, people. */
export const isNounAfter = (language: Language, text: string, end: number): boolean =>
  matchAt(nouns(language), text, text[end] === " " ? end + 1 : end) !== null

/** True when a number counts something: money, a unit, a scale, or a noun. */
export const isCounted = (language: Language, text: string, end: number): boolean =>
  text[end] === "%" || currencyAfter(language, text, end) !== undefined ||
  scaleAt(language, text, end, true) !== undefined ||
  unitAt(text, end) !== undefined || isNounAfter(language, text, end)
