import { cardinalWords, type Next } from "../languages/Cardinals.js"
import type { Language, Scale } from "../languages/Language.js"
import { formOf } from "./Counting.js"
import { numberAt, numberWords, type Written } from "./Figures.js"
import { anyOf, matchAt, pastStop, perLanguage, WORD_END } from "./Place.js"

/** How the scales are written in Latin letters. */
const latin: ReadonlyMap<string, Scale> = new Map<string, Scale>([
  ["thousand", "thousand"],
  ["k", "thousand"],
  ["lakh", "lakh"],
  ["lakhs", "lakh"],
  ["lac", "lakh"],
  ["lacs", "lakh"],
  ["crore", "crore"],
  ["crores", "crore"],
  ["cr", "crore"],
  ["million", "million"],
  ["mn", "million"],
  ["billion", "billion"],
  ["bn", "billion"]
])

/** Letters that are scales after money only. */
const afterMoney: ReadonlyMap<string, Scale> = new Map<string, Scale>([
  ["l", "lakh"],
  ["m", "million"],
  ["b", "billion"]
])

const pattern = (forms: ReadonlyArray<string>) => anyOf(forms, WORD_END, "iuy")

const plain = pattern([...latin.keys()])

const withMoney = perLanguage(({ scaleForms }) =>
  pattern([...latin.keys(), ...afterMoney.keys(), ...Object.keys(scaleForms)])
)

/** The scale behind a number that ends at a place: `5 lakh`, `1.5 crore`, `5k`; after money also `5L` and `₹5 लाख`. */
export const scaleAt = (
  language: Language,
  text: string,
  at: number,
  isMoney: boolean
): { readonly scale: Scale; readonly end: number } | undefined => {
  const start = text[at] === " " ? at + 1 : at
  const found = matchAt(isMoney ? withMoney(language) : plain, text, start)
  const form = found?.[1] ?? ""
  const scale = latin.get(form.toLowerCase()) ?? afterMoney.get(form.toLowerCase()) ??
    language.scaleForms[form.normalize("NFC")]
  return found === null || scale === undefined ? undefined : { scale, end: pastStop(text, start + found[0].length) }
}

const sizes: Readonly<Record<Scale, number>> = { thousand: 1e3, lakh: 1e5, crore: 1e7, million: 0, billion: 0 }

/** So many lakhs and the like: as one number of the language where it is a whole number of less than a hundred. */
export const scaledWords = (language: Language, number: Written, scale: Scale, next: Next): string => {
  const count = Number(number.whole)
  if (number.fraction === "" && count > 0 && count < 100 && sizes[scale] > 0) {
    return cardinalWords(language.numbers, count * sizes[scale], next)
  }
  return `${numberWords(language, number, "noun")} ${formOf(language.scales[scale], next === "noun")}`
}

/** Lakhs and the like of money, which may follow one another: `1.5 lakh crore`, `3 crore 25 lakh`. */
export const scaledMoneyAt = (
  language: Language,
  text: string,
  number: Written
): { readonly words: string; readonly end: number } | undefined => {
  const scale = scaleAt(language, text, number.end, true)
  if (scale === undefined) return undefined
  let { end } = scale
  const words = [scaledWords(language, number, scale.scale, "noun")]
  for (let more = scaleAt(language, text, end, true); more !== undefined; more = scaleAt(language, text, end, true)) {
    words.push(formOf(language.scales[more.scale], true))
    end = more.end
  }
  const next = /^ \d/.test(text.slice(end, end + 2)) ? numberAt(text, end + 1) : undefined
  const rest = next === undefined ? undefined : scaledMoneyAt(language, text, next)
  return rest === undefined
    ? { words: words.join(" "), end }
    : { words: [...words, rest.words].join(" "), end: rest.end }
}
