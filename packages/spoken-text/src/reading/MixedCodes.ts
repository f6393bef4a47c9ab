import { withEnding } from "./Endings.js"
import { groupDigits, spellGroups } from "./Numbers.js"
import { matchAt, type Reader } from "./Reader.js"

/** Greatest number of characters of a token on each side of a position. */
const REACH = 20

const before = /[A-Z\d]*$/

const after = /[A-Z\d]{1,20}/y

/** Letters and figures that change more than once, as in a GSTIN, a PAN or a number plate, or a word before figures: SAVE50. */
const mixed = /^(?=.*\d.*\d)(?:(?=.{6})(?:[A-Z]*\d+[A-Z]+\d|[A-Z]+\d+[A-Z])[A-Z\d]*|[A-Z]{3,}\d{2,})$/

/** Reads the figures of a token of capitals and figures one by one: 29ABCDE1234F1Z5, SAVE50. */
export const readMixedCode: Reader = ({ at, language, text }) => {
  const start = before.exec(text.slice(Math.max(0, at - REACH), at))?.[0] ?? ""
  const rest = matchAt(after, text, at)?.[0] ?? ""
  const around = `${text.charAt(at - start.length - 1)}${text.charAt(at + rest.length)}`
  if (!mixed.test(`${start}${rest}`) || /[a-z\d]/.test(around)) return undefined
  const figures = /^\d+/.exec(rest)?.[0] ?? ""
  return withEnding(language, text, { words: spellGroups(language, groupDigits(figures)), end: at + figures.length })
}
