import { cardinalWords, type NumberContext } from "../languages/Cardinals.js"
import type { Language, Scale } from "../languages/Language.js"
import { inflect, numberAt, type NumberToken, numberWords } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, skipStop, wordEnd } from "./Reader.js"

/** Spellings of the scales in Latin letters. */
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

/** Letters that are scales only after a currency. */
const afterMoney: ReadonlyMap<string, Scale> = new Map<string, Scale>([
  ["l", "lakh"],
  ["m", "million"],
  ["b", "billion"]
])

const pattern = (forms: ReadonlyArray<string>) => anyOf(forms, wordEnd, "iuy")

const plain = pattern([...latin.keys()])

const withMoney = perLanguage(({ scaleForms }) =>
  pattern([...latin.keys(), ...afterMoney.keys(), ...Object.keys(scaleForms)])
)

/** Scales in the language's own script with a case ending: `કરોડની`, `லட்சத்திற்கு`. */
const casePattern = perLanguage(({ scaleForms }) => {
  const stems = Object.keys(scaleForms).map((form) => form.replace(/(?:ം|ம்|ు)$/u, ""))
  return anyOf([...new Set(stems)], `([\\p{L}\\p{M}]{1,12})${wordEnd}`)
})

/** Scale with a case ending after an amount of money that ends at `at`. */
export const inflectedScaleAt = (language: Language, text: string, at: number) => {
  const start = text[at] === " " ? at + 1 : at
  const match = matchAt(casePattern(language), text, start)
  if (match === null) return undefined
  const [writtenText, stem = "", ending = ""] = match
  const scale = Object.entries(language.scaleForms).find(([form]) => form.startsWith(stem))?.[1]
  return scale === undefined ? undefined : { scale, ending, end: start + writtenText.length }
}

/** Scale after a number that ends at `at`: `5 lakh`, `1.5 crore`, `5k`; for money also `₹5L` and `₹5 लाख`. */
export const scaleAt = (
  language: Language,
  text: string,
  at: number,
  isMoney: boolean
): { readonly scale: Scale; readonly end: number } | undefined => {
  const start = text[at] === " " ? at + 1 : at
  const match = matchAt(isMoney ? withMoney(language) : plain, text, start)
  const form = match?.[1] ?? ""
  const scale = latin.get(form.toLowerCase()) ?? afterMoney.get(form.toLowerCase()) ??
    language.scaleForms[form.normalize("NFC")]
  return match === null || scale === undefined ? undefined : { scale, end: skipStop(text, start + match[0].length) }
}

const sizes: Readonly<Record<Scale, number>> = { thousand: 1e3, lakh: 1e5, crore: 1e7, million: 0, billion: 0 }

/** Words of a scaled number, as one number of the language when it is a whole number below 100. */
export const scaledWords = (language: Language, number: NumberToken, scale: Scale, next: NumberContext): string => {
  const count = Number(number.whole)
  const fraction = number.fraction.replace(/0+$/, "")
  if (fraction === "" && count > 0 && count < 100 && sizes[scale] > 0) {
    return cardinalWords(language.numbers, count * sizes[scale], next)
  }
  return `${numberWords(language, { ...number, fraction }, "noun")} ${inflect(language.scales[scale], next === "noun")}`
}

/** Reads a scaled amount of money; scales may follow one another: `1.5 lakh crore`, `3 crore 25 lakh`. */
export const readScaledMoney = (
  language: Language,
  text: string,
  number: NumberToken
): { readonly words: string; readonly end: number } | undefined => {
  const scale = scaleAt(language, text, number.end, true)
  if (scale === undefined) return undefined
  let { end } = scale
  const words = [scaledWords(language, number, scale.scale, "noun")]
  for (let more = scaleAt(language, text, end, true); more !== undefined; more = scaleAt(language, text, end, true)) {
    words.push(inflect(language.scales[more.scale], true))
    end = more.end
  }
  const next = /^ \d/.test(text.slice(end, end + 2)) ? numberAt(text, end + 1) : undefined
  const rest = next === undefined ? undefined : readScaledMoney(language, text, next)
  return rest === undefined
    ? { words: words.join(" "), end }
    : { words: [...words, rest.words].join(" "), end: rest.end }
}
