import { cardinalWords, type Next, NO_CARDINAL } from "../languages/Cardinals.js"
import type { Language } from "../languages/Language.js"
import { matchAt } from "./Place.js"

/** The figures of the ten scripts: in Unicode, each script's zero is at ...6 and its nine at ...F of sixteen. */
const nativeFigures = /[०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g

/** The text with Latin figures in place of native ones, as long as before. */
export const withLatinFigures = (text: string): string =>
  text.replace(nativeFigures, (figure) => String((figure.charCodeAt(0) & 15) - 6))

/** A number as it is written: its figures before and after the point. */
export interface Written {
  readonly whole: string
  readonly fraction: string
  /** Whether commas part its figures, as in 12,50,000 or 1,250,000. */
  readonly grouped: boolean
  readonly end: number
}

const grouped = /\d{1,3}(?:,\d{2,3}){1,8}(?![\d])/y

const run = /\d+/y

const fraction = /\.(\d+)/y

/** Commas at every third figure, or first at the third from the end and then at every second. */
const isGrouping = (text: string): boolean => /^(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,2}(?:,\d{2}){1,7},\d{3})$/.test(text)

/** The number that begins at a place, if one does. A number without a whole part, such as `.5`, is read as well. */
export const numberAt = (text: string, at: number): Written | undefined => {
  const parted = matchAt(grouped, text, at)?.[0]
  const isParted = parted !== undefined && isGrouping(parted)
  const whole = isParted ? parted : matchAt(run, text, at)?.[0] ?? ""
  const after = matchAt(fraction, text, at + whole.length)
  if (whole === "" && after === null) return undefined
  return {
    whole: whole.replaceAll(",", ""),
    fraction: after?.[1] ?? "",
    grouped: isParted,
    end: at + whole.length + (after?.[0].length ?? 0)
  }
}

/** Figures one by one. */
export const spelled = (language: Language, figures: string): string =>
  Array.from(figures, (figure) => language.numbers.below100(Number(figure))).join(" ")

/** Groups of figures one by one, with a pause between groups. */
export const spelledGroups = (language: Language, groups: ReadonlyArray<string>): string =>
  groups.map((group) => spelled(language, group)).join(", ")

/** Figures in groups that can be heard: of three or four, up to five alone. */
export const inGroups = (figures: string): ReadonlyArray<string> => {
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

/** The words of a number: beyond 10^14 figure by figure, and so are figures after the point. */
export const numberWords = (
  language: Language,
  { whole, fraction }: Pick<Written, "whole" | "fraction">,
  next: Next = "nothing"
): string => {
  const value = Number(whole)
  const words = value < NO_CARDINAL
    ? cardinalWords(language.numbers, value, fraction === "" ? next : "nothing")
    : spelledGroups(language, inGroups(whole))
  return fraction === "" ? words : `${words} ${language.signs.point} ${spelled(language, fraction)}`
}
