import { cardinalWords, noCardinal, type NumberContext } from "../languages/Cardinals.js"
import type { Language, NounForms, QuantityPhrase } from "../languages/Language.js"
import { matchAt } from "./Reader.js"

/** Figures of the ten scripts; in Unicode each script's zero is at offset 6 and its nine at offset 15 of a row of 16. */
const nativeDigits = /[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g

/** Replaces native figures by Latin ones; the length stays the same. */
export const toLatinDigits = (text: string): string =>
  text.replace(nativeDigits, (figure) => String((figure.charCodeAt(0) & 15) - 6))

/** A number in the text: its figures before and after the decimal point. */
export interface NumberToken {
  readonly whole: string
  readonly fraction: string
  /** True when commas group its figures, as in 12,50,000 or 1,250,000. */
  readonly isGrouped: boolean
  readonly end: number
}

const groupedPattern = /\d{1,3}(?:,\d{2,3}){1,8}(?![\d])/y

const run = /\d+/y

const fraction = /\.(\d+)/y

/** Western grouping by three figures, or Indian grouping by two after the last three. */
const isGrouping = (text: string): boolean => /^(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,2}(?:,\d{2}){1,7},\d{3})$/.test(text)

/** The number that starts at a position, also one without a whole part such as `.5`. */
export const numberAt = (text: string, at: number): NumberToken | undefined => {
  const groupText = matchAt(groupedPattern, text, at)?.[0]
  const isParted = groupText !== undefined && isGrouping(groupText)
  const whole = isParted ? groupText : matchAt(run, text, at)?.[0] ?? ""
  const after = matchAt(fraction, text, at + whole.length)
  if (whole === "" && after === null) return undefined
  return {
    whole: whole.replaceAll(",", ""),
    fraction: after?.[1] ?? "",
    isGrouped: isParted,
    end: at + whole.length + (after?.[0].length ?? 0)
  }
}

/** Reads figures one by one. */
export const spellDigits = (language: Language, figures: string): string =>
  Array.from(figures, (figure) => language.numbers.below100(Number(figure))).join(" ")

/** Reads groups of figures one by one, with a comma between groups for a pause. */
export const spellGroups = (language: Language, groups: ReadonlyArray<string>): string =>
  groups.map((group) => spellDigits(language, group)).join(", ")

/** Splits figures into groups of three or four; up to five stay together. */
export const groupDigits = (figures: string): ReadonlyArray<string> => {
  if (figures.length <= 5) return [figures]
  const size = figures.length % 4 !== 0 && figures.length % 3 === 0 ? 3 : 4
  const groups: Array<string> = []
  for (let at = 0; at < figures.length;) {
    const rest = figures.length - at
    const length = rest === size + 1 ? rest : Math.min(size, rest)
    groups.push(figures.slice(at, at + length))
    at += length
  }
  return groups
}

/** Words of a number. Numbers from 10^14 on and decimals are read figure by figure. */
export const numberWords = (
  language: Language,
  { whole, fraction }: Pick<NumberToken, "whole" | "fraction">,
  next: NumberContext = "nothing"
): string => {
  const value = Number(whole)
  const words = value < noCardinal
    ? cardinalWords(language.numbers, value, fraction === "" ? next : "nothing")
    : spellGroups(language, groupDigits(whole))
  return fraction === "" ? words : `${words} ${language.signs.point} ${spellDigits(language, fraction)}`
}

/** Singular and plural of a counted noun. */
export const formsOf = (phrase: QuantityPhrase): ReadonlyArray<string> => typeof phrase === "string" ? [phrase] : phrase

/** Combines the words of a number with a counted noun. */
export const quantify = (phrase: QuantityPhrase, isOne: boolean, number: string): string => {
  const words = typeof phrase === "string" ? phrase : phrase[isOne ? 0 : 1]
  return words.includes("{}") ? words.replace("{}", number) : `${number} ${words}`
}

/** Plural of a counted noun without a number. */
export const withoutNumber = (phrase: QuantityPhrase): string =>
  (typeof phrase === "string" ? phrase : phrase[1]).replace("{}", "").trim()

/** Form of a word on its own or before a noun. */
export const inflect = (word: NounForms, beforeNoun: boolean): string =>
  typeof word === "string" ? word : word[beforeNoun ? 1 : 0]
