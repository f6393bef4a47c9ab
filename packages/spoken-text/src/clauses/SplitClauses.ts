import type { LanguageCode } from "../LanguageCode.js"
import { type ClauseLength, conjunctions, findCut, graphemeCut, SPEAKABLE } from "./Cuts.js"
import { ATTACHED, sentenceEnds } from "./Sentences.js"

/** The first clause is short, so that speech can start soon. */
const firstLength: ClauseLength = { min: 25, target: 60, max: 60 }

const laterLength: ClauseLength = { min: 40, target: 120, max: 200 }

const isAttached = new RegExp(ATTACHED, "u")

/** True for white space that no combining mark attaches to; marks never attach to line breaks. */
const isGap = (text: string, at: number): boolean => {
  const character = text.charAt(at)
  if (!/\s/u.test(character)) return false
  return /[\t-\r\u2028\u2029]/u.test(character) || !isAttached.test(String.fromCodePoint(text.codePointAt(at + 1) ?? 0))
}

/** Index of the first character from `from` on that is not white space. */
const skipGap = (text: string, from: number): number => {
  let at = from
  while (isGap(text, at)) at++
  return at
}

/** Removes trailing white space. */
const trimEnd = (text: string): string => {
  let end = text.length
  while (end > 0 && isGap(text, end - 1)) end--
  return text.slice(0, end)
}

const isSpeakable = (text: string): boolean => SPEAKABLE.test(text)

/** Ends of sentences that can be spoken. Unspeakable parts join the sentence before, or else the next one. */
const speakableEnds = (text: string): ReadonlyArray<number> => {
  const ends = sentenceEnds(text)
  let isSpoken = false
  return ends.filter((end, index) => {
    isSpoken ||= isSpeakable(text.slice(ends[index - 1] ?? 0, end))
    const isEnd = end === text.length || (isSpoken && isSpeakable(text.slice(end, ends[index + 1])))
    isSpoken &&= !isEnd
    return isEnd
  })
}

/**
 * Splits a text into clauses to be spoken one after the other: sentences, and parts of sentences longer than 120
 * characters, cut at clause marks. A clause longer than 200 is cut before a conjunction or at a space, and a longer word
 * between two graphemes. The first clause has at most 60 characters where it can be cut at all. Lengths are in UTF-16
 * units. Every clause contains a letter or a figure, so a text without any has no clauses; the concatenated clauses equal
 * the text except for white space and long runs of marks.
 *
 * @example
 * ```ts
 * splitClauses("Good morning. How are you?", "en-IN") // ["Good morning.", "How are you?"]
 * ```
 */
export const splitClauses = (text: string, language: LanguageCode): ReadonlyArray<string> => {
  const breaths = conjunctions[language]
  const pieces: Array<{ readonly start: number; end: number }> = []
  let start = skipGap(text, 0)
  for (const sentenceEnd of speakableEnds(text)) {
    const last = start + trimEnd(text.slice(start, sentenceEnd)).length
    while (start < last) {
      const rest = text.slice(start, last)
      const short = pieces.length === 0 ? findCut(rest, firstLength, breaths) : undefined
      const end = start + (short ?? findCut(rest, laterLength, breaths) ?? graphemeCut(rest, laterLength.max))
      const before = pieces.at(-1)
      if (isSpeakable(text.slice(start, end))) pieces.push({ start, end })
      else if (before !== undefined && end - before.start <= laterLength.max) before.end = end
      start = skipGap(text, end)
    }
    start = skipGap(text, Math.max(start, sentenceEnd))
  }
  return pieces.map(({ end, start }) => trimEnd(text.slice(start, end)))
}
