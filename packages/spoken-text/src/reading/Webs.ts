import type { Language } from "../languages/Language.js"
import { spelled } from "./Figures.js"
import { matchAt, type Reader } from "./Place.js"

const mail = /[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/y

const address = /(?:https?:\/\/|www\.)[^\s<>"'“”‘’।|\\^`{}]{1,300}/iy

const domain =
  /(?:[A-Za-z0-9-]{1,63}\.){1,4}(?:com|in|org|net|io|co|gov|edu|ai|app|dev|info|biz)(?![\w-])(?:\/[^\s<>"'“”‘’।|\\^`{}]{0,200})?/y

const closing = /[.,;:!?)\]]{1,300}$/

/** The parts of an address: figures, words, and single marks. */
const parts = /\d+|[\p{L}\p{M}]+|./gu

const partWords = ({ signs, ...language }: Language, part: string): string => {
  switch (part) {
    case ".":
      return signs.dot
    case "/":
      return signs.slash
    case "-":
      return signs.dash
    case "_":
      return signs.underscore
    case "@":
      return signs.at
    case "+":
      return signs.plus
    case "&":
      return signs.and
    default:
      return /\d/.test(part) ? spelled({ signs, ...language }, part) : /\p{L}/u.test(part) ? part : ""
  }
}

/** Reads mail and web addresses: their words as they are, figures one by one, and dots and slashes by name. */
export const web: Reader = ({ at, language, text }) => {
  const found = matchAt(mail, text, at) ?? matchAt(address, text, at) ?? matchAt(domain, text, at)
  if (found === null) return undefined
  const written = found[0].replace(closing, "")
  const said = written.replace(/^https?:\/\//i, "").replace(/\/$/, "").match(parts) ?? []
  const words = said.map((part) => partWords(language, part)).filter((word) => word !== "")
  return words.length === 0 ? undefined : { words: words.join(" "), end: at + written.length }
}
