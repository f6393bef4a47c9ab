import { numberWords, spelled } from "./Figures.js"
import { matchAt, type Reader } from "./Place.js"

const dotted = /\d{1,4}(?:\.\d{1,4}){2,}/y

/** Reads figures with more than one dot, as versions and network addresses have, with "dot" between. */
export const version: Reader = ({ at, language, text }) => {
  const found = matchAt(dotted, text, at)
  if (found === null) return undefined
  const words = found[0].split(".").map((whole) =>
    whole.startsWith("0") ? spelled(language, whole) : numberWords(language, { whole, fraction: "" })
  )
  return { words: words.join(` ${language.signs.dot} `), end: at + found[0].length }
}
