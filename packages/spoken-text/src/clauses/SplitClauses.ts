import type { LanguageCode } from "../LanguageCode.js"
import { conjunctions, findCut, firstLength, graphemeCut, laterLength } from "./Cuts.js"
import { isSpeakable, skipGap, speakableEnds, trimEnd } from "./Gaps.js"

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
