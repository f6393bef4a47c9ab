import { withEnding } from "./Endings.js"
import { groupDigits, numberWords, spellDigits, spellGroups } from "./Numbers.js"
import { matchAt, type Reader } from "./Reader.js"

const phoneEnd = "(?![\\d]|[.,]\\d|[-/:]\\d)"

const international = new RegExp(`\\+(\\d{1,3}[ -]?\\(?\\d{2,5}\\)?(?:[ -]?\\d{2,5}){0,3})${phoneEnd}`, "y")

/** Indian phone numbers with the groups to read. Ranges of round numbers such as 60000-70000 do not match. */
const domestic: ReadonlyArray<RegExp> = [
  "(0?[6-9]\\d{4})(?!00000)(\\d{5})",
  "(0?[6-9]\\d{4})[ -](?!\\d{3}00)(\\d{5})",
  "([6-9]\\d{2})[ -](\\d{3})[ -](\\d{4})",
  "([6-9]\\d{3})[ -](\\d{3})[ -](\\d{3})",
  "(18[06]0)[ -]?(\\d{2,3})[ -]?(\\d{3,4})",
  "(0\\d{2,4})[ -](\\d{3,4})[ -]?(\\d{3,4})"
].map((source) => new RegExp(`${source}${phoneEnd}`, "y"))

/** A country code and the rest, without a separator. */
const countries = /^(91|1|44)(\d{10})$/

const phoneGroups = (writtenText: string): ReadonlyArray<string> => {
  const groups = writtenText.split(/[ ()-]+/).filter((group) => group !== "")
  const country = countries.exec(groups.join(""))
  if (country?.[1] === "91" || groups.length === 1) {
    const [, code = "", rest = groups.join("")] = country ?? []
    return [
      ...(code === "" ? [] : [code]),
      ...(rest.length === 10 ? [rest.slice(0, 5), rest.slice(5)] : groupDigits(rest))
    ]
  }
  return groups
}

/** True for an Indian phone number in groups, as in 1800 123 4567. */
export const isPartedPhone = (text: string, at: number): boolean =>
  domestic.some((pattern) => /[ -]/.test(matchAt(pattern, text, at)?.[0] ?? ""))

/** Reads phone numbers figure by figure in their written groups, or in groups of five as Indian mobile numbers are said. */
export const readPhone: Reader = ({ at, language, text }) => {
  const abroad = matchAt(international, text, at)
  if (abroad !== null) {
    const groups = phoneGroups(abroad[1] ?? "")
    const length = groups.join("").length
    if (length < 8 || length > 15) return undefined
    const words = `${language.signs.plus} ${spellGroups(language, groups)}`
    return withEnding(language, text, { words, end: at + abroad[0].length })
  }
  for (const pattern of domestic) {
    const match = matchAt(pattern, text, at)
    if (match !== null) {
      const words = spellGroups(language, match.slice(1))
      return withEnding(language, text, { words, end: at + match[0].length })
    }
  }
  return undefined
}

/** An area or a country code in brackets before the rest of a number. */
const bracketPattern = new RegExp(`\\((\\+?\\d{2,5}(?:[ -]\\d{2,4})?)\\)[ -]?(\\d{3,5}[ -]?\\d{3,5})${phoneEnd}`, "y")

/** Reads a phone number with its first figures in brackets: (022) 2345 6789. */
export const readBracketedPhone: Reader = ({ at, language, text }) => {
  const [whole = "", code = "", rest = ""] = matchAt(bracketPattern, text, at) ?? []
  const length = `${code}${rest}`.replace(/\D/g, "").length
  if (!/^[+0]/.test(code) || /[\p{L}\p{M}\d]/u.test(text[at - 1] ?? "") || length < 9 || length > 13) return undefined
  const groups = [...code.slice(code.startsWith("+") ? 1 : 0).split(/[ -]/), ...rest.split(/[ -]/).flatMap(groupDigits)]
  const words = spellGroups(language, groups)
  const signedWords = code.startsWith("+") ? `${language.signs.plus} ${words}` : words
  return withEnding(language, text, { words: signedWords, end: at + whole.length })
}

const dotPattern = /\d{1,4}(?:\.\d{1,4}){2,}/y

/** Reads figures with more than one dot, such as versions and network addresses, with "dot" between them. */
export const readVersion: Reader = ({ at, language, text }) => {
  const match = matchAt(dotPattern, text, at)
  if (match === null) return undefined
  const words = match[0].split(".").map((whole) =>
    whole.startsWith("0") ? spellDigits(language, whole) : numberWords(language, { whole, fraction: "" })
  )
  return { words: words.join(` ${language.signs.dot} `), end: at + match[0].length }
}

/** Greatest number of characters of a token on each side of a position. */
const reach = 20

const before = /[A-Z\d]*$/

const after = /[A-Z\d]{1,20}/y

/** Letters and figures that change more than once, as in a GSTIN, a PAN or a number plate, or a word before figures: SAVE50. */
const mixedPattern = /^(?=.*\d.*\d)(?:(?=.{6})(?:[A-Z]*\d+[A-Z]+\d|[A-Z]+\d+[A-Z])[A-Z\d]*|[A-Z]{3,}\d{2,})$/

/** Reads the figures of a token of capitals and figures one by one: 29ABCDE1234F1Z5, SAVE50. */
export const readMixedCode: Reader = ({ at, language, text }) => {
  const start = before.exec(text.slice(Math.max(0, at - reach), at))?.[0] ?? ""
  const rest = matchAt(after, text, at)?.[0] ?? ""
  const around = `${text.charAt(at - start.length - 1)}${text.charAt(at + rest.length)}`
  if (!mixedPattern.test(`${start}${rest}`) || /[a-z\d]/.test(around)) return undefined
  const figures = /^\d+/.exec(rest)?.[0] ?? ""
  return withEnding(language, text, { words: spellGroups(language, groupDigits(figures)), end: at + figures.length })
}
