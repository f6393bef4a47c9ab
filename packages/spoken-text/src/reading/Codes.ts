import { english } from "../languages/English.js"
import type { Language } from "../languages/Language.js"
import { isCounted } from "./Counted.js"
import { isPartedPhone } from "./DigitStrings.js"
import { withEnding } from "./Endings.js"
import { groupDigits, spellDigits, spellGroups } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, type Reader, type Reading } from "./Reader.js"
import { isFlight, isMessaged, isTyped } from "./Services.js"

/** Characters searched for a hint word before a code. */
const reach = 72

/** Least number of figures of a code by the kind of words around it; labels are words such as "code". */
const minLength = { ending: 2, secret: 3, label: 3, name: 4, after: 3, owned: 4, parts: 5 } as const

const wordStart = "(?<![\\p{L}\\p{M}\\p{Nd}])"

/** End of a hint word, which may have an ending of an Indian language. */
const end = "(?![A-Za-z\\p{Nd}])"

const gap = "[\\s:.#*xX()\\-–]{0,4}"

/** Stands in `endings` for words such as "four", or a figure, before those for figures. */
const count = " # "

const counts = "\\s(?:(?:[2-6]|\\p{L}[\\p{L}\\p{M}]{1,11})[\\p{L}\\p{M}]{0,4}\\s?)?"

/** Pattern of words before last figures: `अंतिम # अंक` is `अंतिम अंक`, `अंतिम 4 अंकों` and `अंतिम चार अंक`. */
const lastFigures = (words: ReadonlyArray<string>): string => {
  const plain = anyOf(words.filter((form) => !form.includes(count))).source
  const countedForms = words.filter((form) => form.includes(count)).map((form) => form.split(count).join(counts))
  return `(?:${[plain, ...countedForms.map((form) => `${form}[\\p{L}\\p{M}]{0,8}`)].join("|")})`
}

/** Patterns of the text around a code. English words count in every language. */
const hints = perLanguage(({ codes, signs }) => {
  const source = (kind: keyof typeof codes) => anyOf([...english.codes[kind], ...codes[kind]]).source
  const [secrets, labels, names] = [source("secrets"), source("labels"), source("names")]
  const numbers = source("numbers")
  const links = `(?:${source("links")}${gap})`
  const others = `(?:\\d[\\d-]{1,13}(?:,|,?\\s(?:and|or|${signs.and}))\\s)?`
  const before = (hint: string) => new RegExp(`${wordStart}${hint}$`, "iu")
  return {
    ending: before(
      `(?<!(?:year|quarter|month|week|period|season)\\s)${
        lastFigures([...english.codes.endings, ...codes.endings])
      }${gap}(?:(?:[^\\d.!?।॥\\n]{0,28}\\s)?${links})?${others}`
    ),
    secret: before(`${secrets}${end}(?:[^\\d.!?।॥\\n]{0,24}|[^!?।॥\\n]{0,56}\\s${links})`),
    label: before(`${labels}${end}(?:\\s(?:for|to|of|from)\\s[^!?।॥\\n]{0,52}\\s${links}|${gap}${links}?)`),
    name: before(
      `(?:${names}|${labels})${gap}(?:${numbers}${gap}(?:\\p{L}[\\p{L}\\p{M}]{0,6}${gap})?)?${others}`
    ),
    parts: before(
      `(?:${secrets}${end}${gap}${links}?|${labels}${end}${gap}${links}?|${numbers}${gap}${links}?(?:\\p{L}[\\p{L}\\p{M}]{0,6}${gap})?)`
    ),
    beside: before(`${secrets}${end}${gap}${links}?`),
    numbered: new RegExp(`${wordStart}(?:${secrets}|${labels}|${names}|mobile|phone)`, "iu"),
    owned: codes === english.codes
      ? undefined
      : new RegExp(`[ -]?(?:(?:${secrets}|${labels})(?![A-Za-z\\p{Nd}]|\\s\\p{Nd})|${source("typingWords")})`, "iuy"),
    after: new RegExp(
      `[ -]?(?:${source("closings")}|${
        source("owners")
      }\\s(?:[\\p{L}\\p{M}-]{1,16}\\s){0,2}(?:${secrets}|${labels})${end})`,
      "iuy"
    )
  }
})

/** A number plate before its last figures, such as KA 05 MH. */
const plate = /(?<![A-Za-z])[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?$/

/** Capitals between such a word and its figures, as in "flight AI 302" and "order no. DL 1042". */
const prefix = /(?<![\p{L}\p{Nd}])(?!(?:AT|BY|IN|IS|MY|NO|OF|ON|OR|RS|TO|WE)[ -])(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])[ -]$/u

const kinds = ["name", "secret", "label", "ending"] as const

/** True for figures of a length that words around them mark as a code. */
const isHinted = (language: Language, text: string, at: number, end: number, length: number): boolean => {
  const patterns = hints(language)
  const before = text.slice(Math.max(0, at - reach), at)
  const kind = kinds.find((kind) => length >= minLength[kind] && patterns[kind].test(before))
  const isYear = kind === "ending" && /^(?:19|20)\d\d$/.test(text.slice(at, end))
  if (kind !== undefined && !(isYear && !patterns.numbered.test(before))) return true
  if (length === 4 && plate.test(before)) return true
  if (length < minLength.after) return false
  const letters = prefix.exec(before)
  if (letters !== null && patterns.name.test(before.slice(0, letters.index))) return true
  const isRound = /[05]0$/.test(text.slice(at, end))
  if (
    length >= minLength.owned && !isRound && patterns.owned !== undefined && matchAt(patterns.owned, text, end) !== null
  ) {
    return true
  }
  return matchAt(patterns.after, text, end) !== null || isFlight(text, at, end) || isMessaged(text, at, end) ||
    isTyped(text, at, end)
}

const group = "(?![\\d]|[.,]\\d|[-/:]\\d)"

/** Figures in groups of three, four or two, with slashes, or without a gap. */
const digitTexts =
  "\\d{3}(?:[ -]\\d{3}){1,5}|\\d{4}(?:[ -]\\d{4}){1,5}|\\d{2}(?:[ -]\\d{2}){2,5}|\\d{2,6}(?:/\\d{2,6}){1,4}|\\d{2,}"

const hintedCode = new RegExp(`(${digitTexts})${group}`, "y")

/** Groups of one or two figures right after a word such as "OTP", where they are no date. */
const partsPattern = new RegExp(`(\\d{2}(?:[ -]\\d{2}){1,5}|\\d(?:[ -]\\d){2,9})${group}`, "y")

/** Figures in parts of any length with hyphens, which are a range without words for codes. */
const hyphenPattern = new RegExp(`(\\d{1,8}(?:-\\d{1,8}){1,4})${group}`, "y")

const findHyphened = (language: Language, text: string, at: number): RegExpExecArray | null => {
  const match = matchAt(hyphenPattern, text, at)
  if (match === null || match[0].replaceAll("-", "").length < minLength.parts) return null
  if (!hints(language).parts.test(text.slice(Math.max(0, at - reach), at))) return null
  const isPhone = isPartedPhone(text, at)
  return isPhone || isCounted(language, text, at + match[0].length) ? null : match
}

/** Card and Aadhaar numbers: two to five groups of four. */
const groupsOfFour = new RegExp(`(\\d{4}(?:([ -])\\d{4}(?:\\2\\d{4}){1,4}))${group}`, "y")

const findHintedCode = (language: Language, text: string, at: number): RegExpExecArray | null => {
  const match = matchAt(hintedCode, text, at)
  if (match === null) return null
  const end = at + match[0].length
  const length = match[0].replace(/\D/g, "").length
  const isCode = isHinted(language, text, at, end, length) && !isCounted(language, text, end)
  return isCode && !isPartedPhone(text, at) ? match : null
}

/** Reading of groups of figures one by one, with the text that ends with them. */
const codeReading = (language: Language, text: string, at: number, [whole, figures = ""]: RegExpExecArray): Reading => {
  const groups = figures.split(/[ /-]/)
  const isApart = groups.length > 1 && groups.some(({ length }) => length > 1)
  const words = spellGroups(language, isApart ? groups : groupDigits(groups.join("")))
  return withEnding(language, text, { words, end: at + whole.length })
}

/**
 * Reads codes figure by figure: numbers after words such as "OTP" or "account number", the last figures of cards, flights,
 * and groups of four as on cards.
 */
export const readCode: Reader = ({ at, language, text }) => {
  const match = matchAt(groupsOfFour, text, at) ?? findHintedCode(language, text, at) ??
    findHyphened(language, text, at)
  return match === null ? undefined : codeReading(language, text, at, match)
}

/** Reads figures in pairs or one by one right after a word such as "OTP": 45-82-91, 12 34, 4-5-8-2. */
export const readPartedCode: Reader = ({ at, language, text }) => {
  const match = matchAt(partsPattern, text, at)
  if (match === null || !hints(language).beside.test(text.slice(Math.max(0, at - reach), at))) return undefined
  return isCounted(language, text, at + match[0].length) ? undefined : codeReading(language, text, at, match)
}

const maskedPattern = /(?:(\d{1,6})(?:(?<=\d{4})[ -])?)?[xX*•]{2,40}(?:[ -][xX*•]{2,16}){0,4}[ -]?(\d{2,8})(?!\d)/y

/** One mark or one letter before the last figures of a card or an account. */
const short = /(?<![\p{L}\p{M}\p{Nd}*])([*•xX])(\d{2,6})(?![\d#*]|[.,]\d)/uy

const account = /(?:a\/c|acc?t|account|card|cards|ending|ends|ended|loan|wallet)[^\d.!?\n]{0,24}$/i

/** The last four figures after a mark or an x, and others where the words before speak of an account. */
const shortFigures = (language: Language, text: string, at: number): RegExpExecArray | null => {
  if (!"*•xX".includes(text.charAt(at))) return null
  const match = matchAt(short, text, at)
  if (match === null || isCounted(language, text, at + match[0].length)) return null
  const isWhole = match[2]?.length === 4 && match[1] !== "X"
  return isWhole || account.test(text.slice(Math.max(0, at - 40), at)) ? match : null
}

/** Reads the figures that a mask leaves of a number, such as XX1234, 98XXXXXX21, *4521 and x4521. */
export const readMasked: Reader = ({ at, language, text }) => {
  const long = matchAt(maskedPattern, text, at)
  const match = long ?? shortFigures(language, text, at)
  if (match === null) return undefined
  const texts = long === null ? [match[2]] : [match[1], match[2]]
  const groups = texts.flatMap((figures) => figures === undefined ? [] : [spellDigits(language, figures)])
  return withEnding(language, text, { words: groups.join(", "), end: at + match[0].length })
}
