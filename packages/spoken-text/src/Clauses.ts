import { conjunctions } from "./clauses/Conjunctions.js"
import { cutPlace, graphemeCut, type Room } from "./clauses/Cuts.js"
import { ATTACHED, sentenceEnds } from "./clauses/Sentences.js"
import type { LanguageCode } from "./LanguageCode.js"

/** The first piece is short, so that speaking can begin soon. */
const first: Room = { least: 25, aim: 60, most: 60 }

const later: Room = { least: 40, aim: 120, most: 200 }

const isAttached = new RegExp(ATTACHED, "u")

/** White space that nothing is attached to: white space with a mark is a character of its own. */
const isGap = (text: string, at: number): boolean =>
  /\s/u.test(text.charAt(at)) && !isAttached.test(String.fromCodePoint(text.codePointAt(at + 1) ?? 0))

const trimmed = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isGap(text, start)) start++
  while (end > start && isGap(text, end - 1)) end--
  return text.slice(start, end)
}

const canBeSpoken = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** The sentences of a text. What has no letter and no figure goes with the sentence before, or else with the next. */
const sentencesOf = (text: string): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  const ends = sentenceEnds(text)
  let start = 0
  let isSpoken = false
  for (const [index, end] of ends.entries()) {
    const next = text.slice(end, ends[index + 1])
    isSpoken ||= canBeSpoken(text.slice(ends[index - 1] ?? 0, end))
    if (index < ends.length - 1 && !(isSpoken && canBeSpoken(next))) continue
    sentences.push(text.slice(start, end))
    start = end
    isSpoken = false
  }
  return sentences
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
  const pieces: Array<string> = []
  for (const sentence of sentencesOf(text)) {
    for (let rest = trimmed(sentence); rest !== "";) {
      const short = pieces.length === 0 ? cutPlace(rest, first, breaths) : undefined
      const end = short ?? cutPlace(rest, later, breaths) ?? graphemeCut(rest, later.most)
      const piece = trimmed(rest.slice(0, end))
      if (canBeSpoken(piece)) pieces.push(piece)
      rest = trimmed(rest.slice(end))
    }
  }
  return pieces
}
