import type { Language, Ordinals } from "../languages/Language.js"
import { matchAt, type Reading, wordEnd } from "./Reader.js"

/** Letters after figures, directly or after a hyphen or a space. No ending is longer than 14. */
const endingLetters = new RegExp(`([- ]?)([\\p{L}\\p{M}]{1,14})${wordEnd}(?!\\.\\p{L})`, "uy")

const englishEndings = ["st", "nd", "rd", "th"]

/** Replaces an English ending, which is common in other languages too, by the language's own. */
const resolveEnding = ({ endings, defaults: [first, other] }: Ordinals, figures: string, writtenText: string): string =>
  englishEndings.includes(writtenText) && !endings.includes(writtenText)
    ? first[Number(figures) - 1] ?? other
    : writtenText

/**
 * Words of a number with the ending after its figures: `21वीं`, `21 वीं`, `5th`, `10-க்கு`, `১ম`. Undefined when the letters
 * are not an ending of the language; a combining mark, which no word starts with, always is one.
 */
export const readEnding = (
  { ordinals }: Language,
  text: string,
  end: number,
  figures: string,
  words: string
): Reading | undefined => {
  const match = matchAt(endingLetters, text, end)
  if (match === null) return undefined
  const [whole, gap = "", writtenText = ""] = match
  const ending = resolveEnding(ordinals, figures, writtenText.normalize("NFC").toLowerCase())
  const joinEnding = () => ({ words: ordinals.join(words, ending), end: end + whole.length })
  if (gap === " ") return ordinals.detachedEndings.includes(ending) ? joinEnding() : undefined
  const irregular = ordinals.irregular[`${figures}${ending}`]
  if (irregular !== undefined) return { words: irregular, end: end + whole.length }
  if (ordinals.endings.includes(ending)) return joinEnding()
  return gap === "" && /^\p{M}/u.test(ending) ? { words: `${words}${ending}`, end: end + whole.length } : undefined
}

/** A reading of figures one by one, with a case ending right after them: `4521తో`. */
export const withEnding = (language: Language, text: string, { end, words }: Reading): Reading =>
  text[end] === " " ? { words, end } : readEnding(language, text, end, "", words) ?? { words, end }
