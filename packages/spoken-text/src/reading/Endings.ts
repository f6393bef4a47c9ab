import type { Ordinals } from "../languages/Endings.js"
import type { Language } from "../languages/Language.js"
import { matchAt, type Said, WORD_END } from "./Place.js"

/** The letters behind figures, at once or after a hyphen or a space. No ending is longer. */
const letters = new RegExp(`([- ]?)([\\p{L}\\p{M}]{1,10})${WORD_END}`, "uy")

const english = ["st", "nd", "rd", "th"]

/** An ending as it is in the language: English ones are often written in other languages too. */
const endingOf = ({ endings, usual: [first, other] }: Ordinals, figures: string, written: string): string =>
  english.includes(written) && !endings.includes(written) ? first[Number(figures) - 1] ?? other : written

/**
 * The number's words with the ending that stands behind its figures: `21वीं`, `21 वीं`, `5th`, `10-க்கு`, `১ম`. Figures
 * with letters that are no ending of the language have none; a mark that no word can begin with always is one.
 */
export const endingAt = (
  { ordinals }: Language,
  text: string,
  end: number,
  figures: string,
  words: string
): Said | undefined => {
  const found = matchAt(letters, text, end)
  if (found === null) return undefined
  const [whole, gap = "", written = ""] = found
  const ending = endingOf(ordinals, figures, written.normalize("NFC").toLowerCase())
  const joined = () => ({ words: ordinals.join(words, ending), end: end + whole.length })
  if (gap === " ") return ordinals.apart.includes(ending) ? joined() : undefined
  const own = ordinals.own[`${figures}${ending}`]
  if (own !== undefined) return { words: own, end: end + whole.length }
  if (ordinals.endings.includes(ending)) return joined()
  return gap === "" && /^\p{M}/u.test(ending) ? { words: `${words}${ending}`, end: end + whole.length } : undefined
}
