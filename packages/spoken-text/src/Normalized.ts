import type { LanguageCode } from "./LanguageCode.js"
import { languages } from "./languages/Languages.js"
import { abbreviation } from "./reading/Abbreviations.js"
import { amount } from "./reading/Amounts.js"
import { code } from "./reading/Codes.js"
import { dateFromFigure, dateFromName } from "./reading/Dates.js"
import { withLatinFigures } from "./reading/Figures.js"
import { fraction } from "./reading/Fractions.js"
import { phone } from "./reading/Phones.js"
import { matchAt, type Place, type Reader, type Said, skipAt } from "./reading/Place.js"
import { sign } from "./reading/Signs.js"
import { time } from "./reading/Times.js"
import { version } from "./reading/Versions.js"
import { web } from "./reading/Webs.js"

/** Readers in the order in which they are asked, by what a written form begins with. */
const readers = {
  figure: [web, dateFromFigure, time, code, phone, version, fraction, amount],
  letter: [web, abbreviation, dateFromName, amount],
  sign: [phone, amount, fraction, sign]
} as const satisfies Record<string, ReadonlyArray<Reader>>

const word = /[\p{L}\p{M}\u200c\u200d]+/uy

const readersAt = (text: string, at: number): ReadonlyArray<Reader> => {
  const character = text[at] ?? ""
  if (/\d/.test(character)) return readers.figure
  if (/[+#%&₹₨$€£½⅓⅔¼¾−-]/.test(character)) return readers.sign
  if (character === ".") return /^[\s([{"'“‘]?$/.test(text[at - 1] ?? "") ? [amount] : []
  return matchAt(word, text, at) === null ? [] : readers.letter
}

const readAt = (place: Place): Said | undefined => {
  for (const read of readersAt(place.text, place.at)) {
    const said = read(place)
    if (said !== undefined) return said
  }
  return undefined
}

/** What would become one word or address with words that were read before it. */
const joining = /[\p{L}\p{M}]|[.@][\p{L}\p{M}\d]|:\/\//uy

/** After these, words follow without a space: nothing, gaps, opening marks, and marks inside a word. */
const isOpen = (before: string): boolean => /^[\s([{"'“‘\-–—_=<>~*\u200c\u200d]?$/u.test(before)

/**
 * The text as it is spoken: figures and signs in words of the language, in Unicode's form NFC, and all else as it was.
 * It takes time in proportion to the text, and says no more than 40 characters for each that is written.
 */
export const normalized = (text: string, language: LanguageCode): string => {
  const place = { text: withLatinFigures(text), language: languages[language] }
  const parts: Array<string> = []
  let last = ""
  let wasRead = false
  const add = (part: string, isApart: boolean) => {
    parts.push(isApart ? ` ${part}` : part)
    last = part.slice(-1)
  }
  for (let at = 0; at < text.length;) {
    const found = readAt({ ...place, at })
    if (found === undefined) {
      const end = Math.max(at + 1, skipAt(word, text, at))
      add(text.slice(at, end), wasRead && matchAt(joining, text, at) !== null)
      at = end
    } else {
      add(found.words, !isOpen(last))
      at = found.end
    }
    wasRead = found !== undefined
  }
  return parts.join("")
}
