import { english } from "../languages/English.js"
import type { Language } from "../languages/Language.js"
import { groupDigits, numberWords, spellDigits, spellGroups } from "./Numbers.js"
import { anyOf, matchAt, perLanguage, type Reader } from "./Reader.js"

/** Characters searched for a hint word before a code. */
const REACH = 48

/** Patterns of the text before a code. English words count in every language. */
const hints = perLanguage(({ codes }) => {
  const source = (words: ReadonlyArray<string>) => anyOf(words).source
  const secrets = source([...english.codes.secrets, ...codes.secrets])
  const names = source([...english.codes.names, ...codes.names])
  const numbers = source([...english.codes.numbers, ...codes.numbers])
  const before = "(?<![\\p{L}\\p{M}\\p{Nd}])"
  const gap = "[\\s:.#*xX\\-–]{0,4}"
  return {
    secret: new RegExp(`${before}${secrets}(?![\\p{Nd}])[^\\d.!?।॥\\n]{0,24}$`, "iu"),
    named: new RegExp(`${before}${names}${gap}(?:${numbers}${gap}(?:\\p{L}[\\p{L}\\p{M}]{0,6}${gap})?)?$`, "iu")
  }
})

/** Shortest code after a word for something secret, and after the name of something numbered. */
const minLength = { secret: 3, named: 4 } as const

/** Least number of figures of a code at a position; undefined without a hint word. */
const minCodeLength = (language: Language, text: string, at: number): number | undefined => {
  const before = text.slice(Math.max(0, at - REACH), at)
  const { named, secret } = hints(language)
  if (secret.test(before)) return minLength.secret
  return named.test(before) ? minLength.named : undefined
}

const group = "(?![\\d]|[.,]\\d|[-/:]\\d)"

const hintedCode = new RegExp(`(\\d{3}(?:[ -]\\d{3}){1,5}|\\d{4}(?:[ -]\\d{4}){1,5}|\\d+)${group}`, "y")

/** Card and Aadhaar numbers: two to five groups of four. */
const groupsOfFour = new RegExp(`(\\d{4}(?:([ -])\\d{4}(?:\\2\\d{4}){1,4}))${group}`, "y")

/** Reads codes figure by figure: numbers after words such as "OTP" or "account number", and groups of four as on cards. */
export const readCode: Reader = ({ at, language, text }) => {
  const found = matchAt(groupsOfFour, text, at) ?? findHintedCode(language, text, at)
  if (found === null) return undefined
  const groups = (found[1] ?? "").split(/[ -]/)
  const reading = groups.length > 1 ? groups : groupDigits(groups.join(""))
  return { words: spellGroups(language, reading), end: at + found[0].length }
}

const findHintedCode = (language: Language, text: string, at: number): RegExpExecArray | null => {
  const found = matchAt(hintedCode, text, at)
  if (found === null || found[0].length < minLength.secret) return null
  const length = minCodeLength(language, text, at)
  return length !== undefined && found[0].replace(/\D/g, "").length >= length ? found : null
}

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

const phoneGroups = (written: string): ReadonlyArray<string> => {
  const groups = written.split(/[ ()-]+/).filter((group) => group !== "")
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

/** Reads phone numbers figure by figure in their written groups, or in groups of five as Indian mobile numbers are said. */
export const readPhone: Reader = ({ at, language, text }) => {
  const abroad = matchAt(international, text, at)
  if (abroad !== null) {
    const groups = phoneGroups(abroad[1] ?? "")
    const length = groups.join("").length
    if (length < 8 || length > 15) return undefined
    return { words: `${language.signs.plus} ${spellGroups(language, groups)}`, end: at + abroad[0].length }
  }
  for (const pattern of domestic) {
    const found = matchAt(pattern, text, at)
    if (found !== null) {
      return {
        words: found.slice(1).map((group) => spellDigits(language, group)).join(", "),
        end: at + found[0].length
      }
    }
  }
  return undefined
}

const dotted = /\d{1,4}(?:\.\d{1,4}){2,}/y

/** Reads figures with more than one dot, such as versions and network addresses, with "dot" between them. */
export const readVersion: Reader = ({ at, language, text }) => {
  const found = matchAt(dotted, text, at)
  if (found === null) return undefined
  const words = found[0].split(".").map((whole) =>
    whole.startsWith("0") ? spellDigits(language, whole) : numberWords(language, { whole, fraction: "" })
  )
  return { words: words.join(` ${language.signs.dot} `), end: at + found[0].length }
}
