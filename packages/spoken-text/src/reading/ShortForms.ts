import { contextOf, isAbbreviationStop, REACH } from "../clauses/Abbreviations.js"
import type { Language } from "../languages/Language.js"
import { toLatinDigits } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, type Reader, type Reading, skipAt } from "./Reader.js"

/** End of an abbreviation in the table that is read only before a figure: `ता. #`. */
const BEFORE_FIGURE = " #"

const figureNext = "(?=[\\s:]{0,3}[+*]?\\d)"

/** Circle or zero in place of the stop of an abbreviation in a script of India: `डॉ॰`, `ড০`. */
const rounds = "(?:॰|0(?![\\d.,]))"

const wordEnd = "(?![\\p{L}\\p{M}])"

/** Abbreviations of a language, and the words and letters with which they begin. */
const patterns = perLanguage(({ abbreviations }) => {
  const written = Object.keys(abbreviations)
  const counted = written.filter((form) => form.endsWith(BEFORE_FIGURE)).map((form) => form.slice(0, -2))
  const forms = written.filter((form) => !form.endsWith(BEFORE_FIGURE)).map(toLatinDigits)
  const withStop = forms.filter((form) => form.endsWith("."))
  const phrases = forms.filter((form) => form.includes(" ") && !form.endsWith("."))
  const stems = withStop.map((form) => form.slice(0, -1)).filter((stem) =>
    /^\p{Lo}/u.test(stem) && abbreviations[`${stem}.`] !== stem
  )
  return {
    firstWords: new Set([...forms, ...counted].map((form) => matchAt(word, form, 0)?.[0] ?? "")),
    counted: anyOf(counted, figureNext),
    rounded: anyOf(stems, rounds),
    all: [
      anyOf(phrases, wordEnd),
      anyOf(withStop),
      anyOf(forms.filter((form) => !withStop.includes(form) && !phrases.includes(form)), wordEnd)
    ]
  }
})

const word = /[\p{L}\p{M}\u200c\u200d]+/uy

const numbered = /no\. ?(?=\d|[xX*•]{2})/iy

/** Reads abbreviations that a figure after them tells from others, and those with a circle or a zero for their stop. */
const readMarked = (language: Language, text: string, at: number): Reading | undefined => {
  const { counted, rounded } = patterns(language)
  const beforeFigure = matchAt(counted, text, at)
  if (beforeFigure !== null) {
    const words = language.abbreviations[`${beforeFigure[1] ?? ""}${BEFORE_FIGURE}`]
    return words === undefined ? undefined : { words, end: at + beforeFigure[0].length }
  }
  const round = matchAt(rounded, text, at)
  const words = language.abbreviations[`${round?.[1] ?? ""}.`]
  return round === null || words === undefined ? undefined : { words, end: at + round[0].length }
}

/** Skips the full stop of an abbreviation, and all if its words would be one themselves when the result is read again. */
const skipStops = ({ abbreviations }: Language, text: string, words: string, stop: number): number =>
  abbreviations[`${words}.`] === undefined ? stop + 1 : skipAt(/\.+/y, text, stop)

/** Reads abbreviations such as "Dr.", and "No." before a number. A full stop stays where it ends the sentence. */
export const readAbbreviation: Reader = ({ at, language, text }) => {
  const first = matchAt(word, text, at)?.[0] ?? ""
  const number = first.length === 2 ? matchAt(numbered, text, at) : null
  if (number !== null) return { words: language.signs.number, end: at + number[0].length }
  const { all, firstWords } = patterns(language)
  if (!firstWords.has(first)) return undefined
  const marked = readMarked(language, text, at)
  if (marked !== undefined) return marked
  for (const pattern of all) {
    const found = matchAt(pattern, text, at)
    const form = found?.[1] ?? ""
    const words = language.abbreviations[form]
    if (words === undefined) continue
    const end = at + form.length
    const stop = form.endsWith(".") ? end - 1 : end
    const before = contextOf(text.slice(Math.max(0, at - REACH - 2), at))
    const isStop = text[stop] === "." && isAbbreviationStop(
      `${/^$|\s$/.test(before) ? before : ""}${form.replace(/\.$/, "")}`,
      text.slice(stop + 1, stop + 1 + REACH)
    )
    // Forms in lower case may be other words at the end of a sentence.
    if (!isStop && /^[a-z]+\.$/.test(form)) return undefined
    return { words, end: isStop ? skipStops(language, text, words, stop) : stop }
  }
  return undefined
}
