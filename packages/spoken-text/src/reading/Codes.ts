import { english } from "../languages/English.js"
import type { Language } from "../languages/Language.js"
import { inGroups, spelledGroups } from "./Figures.js"
import { anyOf, matchAt, perLanguage, type Reader } from "./Place.js"

/** How far before a code the word that makes it one may begin. */
const REACH = 48

/** Patterns of the end of the text before a code. Words of English count in every language. */
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

/** The shortest code after a word for something secret, and after the name of something numbered. */
const shortest = { secret: 3, named: 4 } as const

/** How many figures at least are a code here, if any are. */
const codeLengthAt = (language: Language, text: string, at: number): number | undefined => {
  const before = text.slice(Math.max(0, at - REACH), at)
  const { named, secret } = hints(language)
  if (secret.test(before)) return shortest.secret
  return named.test(before) ? shortest.named : undefined
}

const group = "(?![\\d]|[.,]\\d|[-/:]\\d)"

const hinted = new RegExp(`(\\d{3}(?:[ -]\\d{3}){1,5}|\\d{4}(?:[ -]\\d{4}){1,5}|\\d+)${group}`, "y")

/** Cards and Aadhaar numbers: three groups of four or more. */
const fours = new RegExp(`(\\d{4}(?:([ -])\\d{4}(?:\\2\\d{4}){1,4}))${group}`, "y")

/** Reads figure by figure what stands after a word such as "OTP" or "account number", and groups of four as on cards. */
export const code: Reader = ({ at, language, text }) => {
  const found = matchAt(fours, text, at) ?? hintedAt(language, text, at)
  if (found === null) return undefined
  const groups = (found[1] ?? "").split(/[ -]/)
  const said = groups.length > 1 ? groups : inGroups(groups.join(""))
  return { words: spelledGroups(language, said), end: at + found[0].length }
}

const hintedAt = (language: Language, text: string, at: number): RegExpExecArray | null => {
  const found = matchAt(hinted, text, at)
  if (found === null || found[0].length < shortest.secret) return null
  const length = codeLengthAt(language, text, at)
  return length !== undefined && found[0].replace(/\D/g, "").length >= length ? found : null
}
