import { beforeTime, contextOf, isAbbreviationStop, reach } from "../clauses/Abbreviations.js"
import { english } from "../languages/English.js"
import { type Language, listed } from "../languages/Language.js"
import { toLatinDigits } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, type Reader, type Reading, skipAt } from "./Reader.js"

/** End of an abbreviation in the table that is read only before a figure: `ता. #`. */
const beforeFigure = " #"

/** Time after a part of the day: figures with minutes, or before a word for hours. */
const timeNext = ({ clock }: Language): string =>
  `(?=\\s?\\d{1,2}(?:[.:][0-5]\\d(?!\\d)|\\s?${anyOf(Object.keys({ ...clock.after, ...clock.cases })).source}))`

const figureNext = "(?=[\\s:]{0,3}[+*]?\\d)"

/** Circle or zero in place of the stop of an abbreviation in a script of India: `डॉ॰`, `ড০`. */
const rounds = "(?:॰|0(?![\\d.,]))"

const wordEnd = "(?![\\p{L}\\p{M}])"

/** Abbreviations of a language, and the words and letters with which they begin. */
const patterns = perLanguage((language) => {
  const { abbreviations } = language
  const writtenForms = Object.keys(abbreviations)
  const before = (mark: string) =>
    writtenForms.filter((form) => form.endsWith(mark)).map((form) => form.slice(0, -mark.length))
  const [formsBeforeFigure, formsBeforeTime] = [before(beforeFigure), before(beforeTime)]
  const forms = writtenForms.filter((form) => !form.includes(beforeFigure)).map(toLatinDigits)
  const withStop = forms.filter((form) => form.endsWith("."))
  const phrases = forms.filter((form) => form.includes(" ") && !form.endsWith("."))
  const stems = withStop.map((form) => form.slice(0, -1)).filter((stem) =>
    /^\p{Lo}/u.test(stem) && abbreviations[`${stem}.`] !== stem
  )
  return {
    firstWords: new Set(
      [...forms, ...formsBeforeFigure, ...formsBeforeTime].map((form) => matchAt(word, form, 0)?.[0] ?? "")
    ),
    counted: anyOf(formsBeforeFigure, figureNext),
    timed: anyOf(formsBeforeTime, timeNext(language)),
    rounded: anyOf(stems, rounds),
    all: [
      anyOf(phrases, wordEnd),
      anyOf(withStop),
      anyOf(forms.filter((form) => !withStop.includes(form) && !phrases.includes(form)), wordEnd)
    ]
  }
})

const word = /[\p{L}\p{M}\u200c\u200d]+/uy

const numberPattern = /no\. ?(?=\d|[xX*•]{2})/iy

/** "No" without a stop after a word for what is numbered: "policy no 55512". */
const numberedBare = /no(?=:? ?(?:is )?(?:[A-Z]{1,5}[-/]?)?\d)/iy

const numberedThings = anyOf(
  [
    ...english.codes.names,
    ...english.codes.labels,
    ...english.codes.secrets,
    ...listed(
      "bill, file, case, roll, seat, door, house, plot, gate, meter, mobile, phone, telephone, contact, gst, pan, serial, batch, " +
        "lot, coach, bus, ward, part, quote, loan, claim, fir, customer, member, membership, lic, shop, counter, whatsapp, tel"
    )
  ],
  "\\.?\\s$",
  "iu"
)

const isNumbered = (text: string, at: number): boolean =>
  matchAt(numberedBare, text, at) !== null && numberedThings.test(text.slice(Math.max(0, at - 24), at))

/** Numbers of sections: 80C, `138 of the Act`, and any after "under". */
const sectionNumber = "\\d{1,3}[A-Z]{1,4}(?![\\p{L}\\d])|\\d{1,4}(?:\\([^()\\s]{1,3}\\)){0,3}\\s(?:of|read|r\\/w)\\s|" +
  "(?<=(?:under|u\\/s|per)\\s\\S{3,4}\\s?)\\d"

/** "Sec." before the number of a section of a law, not of a sector of a town. */
const section = new RegExp(`sec\\.?(?=\\s?(?:${sectionNumber}))`, "iuy")

/** Reads abbreviations that a figure after them tells from others, and those with a circle or a zero for their stop. */
const readMarked = (language: Language, text: string, at: number): Reading | undefined => {
  const { counted, rounded, timed } = patterns(language)
  const timeMatch = matchAt(timed, text, at)
  const part = language.abbreviations[`${timeMatch?.[1] ?? ""}${beforeTime}`]
  if (timeMatch !== null && part !== undefined) return { words: part, end: at + timeMatch[0].length }
  const figureMatch = matchAt(counted, text, at)
  if (figureMatch !== null) {
    const words = language.abbreviations[`${figureMatch[1] ?? ""}${beforeFigure}`]
    return words === undefined ? undefined : { words, end: at + figureMatch[0].length }
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
  const number = first.length === 2 ? matchAt(numberPattern, text, at) : null
  if (number !== null) return { words: language.signs.number, end: at + number[0].length }
  const { all, firstWords } = patterns(language)
  if (first.length === 2 && isNumbered(text, at)) return { words: language.signs.number, end: at + 2 }
  const pastSection = first.length === 3 ? skipAt(section, text, at) : at
  if (pastSection > at) return { words: language.signs.section, end: pastSection }
  if (!firstWords.has(first)) return undefined
  const markedReading = readMarked(language, text, at)
  if (markedReading !== undefined) return markedReading
  for (const pattern of all) {
    const match = matchAt(pattern, text, at)
    const form = match?.[1] ?? ""
    const words = language.abbreviations[form]
    if (words === undefined) continue
    const end = at + form.length
    const stop = form.endsWith(".") ? end - 1 : end
    const before = contextOf(text.slice(Math.max(0, at - reach - 2), at))
    const isStop = text[stop] === "." && isAbbreviationStop(
      `${/^$|\s$/.test(before) ? before : ""}${form.replace(/\.$/, "")}`,
      text.slice(stop + 1, stop + 1 + reach)
    )
    // Forms in lower case may be other words at the end of a sentence.
    if (!isStop && /^[a-z]+\.$/.test(form)) return undefined
    return { words, end: isStop ? skipStops(language, text, words, stop) : stop }
  }
  return undefined
}
