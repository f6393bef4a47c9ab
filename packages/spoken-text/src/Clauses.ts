import { conjunctions } from "./clauses/Conjunctions.js"
import { cutPlace, graphemeCut, type Room, SPOKEN } from "./clauses/Cuts.js"
import { ATTACHED, sentenceEnds } from "./clauses/Sentences.js"
import type { LanguageCode } from "./LanguageCode.js"

/** The first piece is short, so that speaking can begin soon. */
const first: Room = { least: 25, aim: 60, most: 60 }

const later: Room = { least: 40, aim: 120, most: 200 }

const isAttached = new RegExp(ATTACHED, "u")

/** White space on its own: a space with a mark is another character, while nothing attaches to the end of a line. */
const isGap = (text: string, at: number): boolean => {
  const character = text.charAt(at)
  if (!/\s/u.test(character)) return false
  return /[\t-\r\u2028\u2029]/u.test(character) || !isAttached.test(String.fromCodePoint(text.codePointAt(at + 1) ?? 0))
}

/** The first place from `from` on that is no white space. */
const pastGap = (text: string, from: number): number => {
  let at = from
  while (isGap(text, at)) at++
  return at
}

/** The text without white space at its end. */
const trimmed = (text: string): string => {
  let end = text.length
  while (end > 0 && isGap(text, end - 1)) end--
  return text.slice(0, end)
}

const canBeSpoken = (text: string): boolean => SPOKEN.test(text)

/** The places where sentences end. What cannot be spoken goes with the sentence before, or else with the next. */
const spokenEnds = (text: string): ReadonlyArray<number> => {
  const ends = sentenceEnds(text)
  let isSpoken = false
  return ends.filter((end, index) => {
    isSpoken ||= canBeSpoken(text.slice(ends[index - 1] ?? 0, end))
    const isEnd = end === text.length || (isSpoken && canBeSpoken(text.slice(end, ends[index + 1])))
    isSpoken &&= !isEnd
    return isEnd
  })
}

/**
 * Cuts a text into what is spoken in one breath: sentences, and clauses of those longer than 120 characters, cut at
 * clause marks. A clause longer than 200 is cut before a conjunction or at a space, and only a word longer than that
 * between two of its characters. The first piece has at most 60 characters where there is any place to cut. All lengths
 * are in UTF-16 units. Joined again, the pieces are the text but for white space and long runs of marks, which are not
 * spoken: no piece is without a letter or a figure, and a text without any has no pieces.
 */
export const clausesOf = (text: string, language: LanguageCode): ReadonlyArray<string> => {
  const breaths = conjunctions[language]
  const pieces: Array<{ readonly start: number; end: number }> = []
  let start = pastGap(text, 0)
  for (const sentenceEnd of spokenEnds(text)) {
    const last = start + trimmed(text.slice(start, sentenceEnd)).length
    while (start < last) {
      const rest = text.slice(start, last)
      const short = pieces.length === 0 ? cutPlace(rest, first, breaths) : undefined
      const end = start + (short ?? cutPlace(rest, later, breaths) ?? graphemeCut(rest, later.most))
      const before = pieces.at(-1)
      if (canBeSpoken(text.slice(start, end))) pieces.push({ start, end })
      else if (before !== undefined && end - before.start <= later.most) before.end = end
      start = pastGap(text, end)
    }
    start = pastGap(text, Math.max(start, sentenceEnd))
  }
  return pieces.map(({ end, start }) => trimmed(text.slice(start, end)))
}
