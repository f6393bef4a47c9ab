import { speakableCharacter } from "./Cuts.js"
import { attachedMarks, sentenceEnds } from "./Sentences.js"

const isAttached = new RegExp(attachedMarks, "u")

/** True for white space that no combining mark attaches to; marks never attach to line breaks. */
const isGap = (text: string, at: number): boolean => {
  const character = text.charAt(at)
  if (!/\s/u.test(character)) return false
  return /[\t-\r\u2028\u2029]/u.test(character) || !isAttached.test(String.fromCodePoint(text.codePointAt(at + 1) ?? 0))
}

/** Index of the first character from `from` on that is not white space. */
export const skipGap = (text: string, from: number): number => {
  let at = from
  while (isGap(text, at)) at++
  return at
}

/** Removes trailing white space. */
export const trimEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && isGap(text, end - 1)) end--
  return text.slice(0, end)
}

/** True for text with a letter or a figure. */
export const isSpeakable = (text: string): boolean => speakableCharacter.test(text)

/**
 * Ends of sentences that can be spoken. Unspeakable parts join the sentence before, or else the next one. `from` is the place
 * in the first sentence at which to begin, after something that can be spoken, or 0.
 */
export const speakableEnds = (text: string, from = 0): ReadonlyArray<number> => {
  const ends = sentenceEnds(text, from)
  let isSpoken = from > 0
  return ends.filter((end, index) => {
    isSpoken ||= isSpeakable(text.slice(ends[index - 1] ?? from, end))
    const isEnd = end === text.length || (isSpoken && isSpeakable(text.slice(end, ends[index + 1])))
    isSpoken &&= !isEnd
    return isEnd
  })
}
