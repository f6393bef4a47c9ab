import type { LanguageCode } from "../LanguageCode.js"
import { contextOf, settledLength } from "./Abbreviations.js"
import { conjunctions, earlyCut, findCut, firstLength, graphemeCut, laterLength, minRest } from "./Cuts.js"
import { isSpeakable, skipGap, speakableEnds, trimEnd } from "./Gaps.js"

/** A divider of one text that arrives in parts, such as the reply of a language model. */
export interface ClauseCutter {
  /** Adds the next part of the text, of any length, and returns the clauses that are complete now. */
  readonly push: (text: string) => ReadonlyArray<string>
  /** Returns the remaining clauses. No text can be added afterwards. */
  readonly end: () => ReadonlyArray<string>
}

/** Length of an open sentence from which a cut at a length limit no longer depends on the text to come. */
const decidedLength = (max: number): number => max + minRest + 4

const endsInsideCharacter = (text: string): boolean => /[\ud800-\udbff]$/.test(text)

/**
 * Makes a divider of one text in a language into clauses to be spoken one after the other, as soon as they are complete. It
 * cuts as `splitClauses` does, except that the first clause also ends at the first clause mark after 25 characters, so that
 * speech can start early. The clauses do not depend on the parts in which the text arrives, except within grapheme clusters
 * and runs of marks of 200 characters. A sentence is complete at the first letter or figure of the next one. The time is
 * linear in the length of the text.
 *
 * @example
 * ```ts
 * const cutter = makeClauseCutter("en-IN")
 * cutter.push("Good morn") // []
 * cutter.push("ing. How are") // ["Good morning."]
 * cutter.end() // ["How are"]
 * ```
 */
export const makeClauseCutter = (language: LanguageCode): ClauseCutter => {
  const breaths = conjunctions[language]
  /** Parts of the text that have not been looked at, and their length. */
  let parts: Array<string> = []
  let partsLength = 0
  /** Text that has been looked at and stays undecided, with the text of its sentence before it. */
  let context = ""
  let pending = ""
  /** Length of parts from which it is worthwhile to look again. */
  let worthwhile = 1
  let isFirst = true

  /** Length of the first clause of the rest of a sentence; undefined when text to come may change it. */
  const clauseLength = (rest: string, isOpen: boolean): number | undefined => {
    const isUndecided = (max: number) => isOpen && settledLength(rest) < decidedLength(max)
    if (isFirst) {
      const early = earlyCut(rest)
      if (early !== undefined) return early
      if (isUndecided(firstLength.max)) return undefined
      const short = findCut(rest, firstLength, breaths)
      if (short !== undefined) return short
    }
    if (isUndecided(laterLength.max)) return undefined
    return findCut(rest, laterLength, breaths) ?? graphemeCut(rest, laterLength.max)
  }

  /** Cuts all clauses that are decided, and keeps the rest. */
  const cut = (isEnd: boolean): ReadonlyArray<string> => {
    const whole = context + pending + parts.join("")
    const text = !isEnd && endsInsideCharacter(whole) ? whole.slice(0, -1) : whole
    const pieces: Array<{ readonly start: number; end: number }> = []
    let start = skipGap(text, context.length)
    let sentence = 0
    for (const end of speakableEnds(text, context.length)) {
      const isOpen = !isEnd && end === text.length
      const last = start + trimEnd(text.slice(start, end)).length
      while (start < last) {
        const rest = text.slice(start, last)
        const length = clauseLength(rest, isOpen)
        if (length === undefined || (isOpen && !isSpeakable(rest.slice(length)))) break
        const before = pieces.at(-1)
        const piece = { start, end: start + length }
        if (isSpeakable(text.slice(piece.start, piece.end))) {
          pieces.push(piece)
          isFirst = false
        } else if (before !== undefined && piece.end - before.start <= laterLength.max) before.end = piece.end
        start = skipGap(text, piece.end)
      }
      if (isOpen) break
      start = skipGap(text, Math.max(start, end))
      sentence = start
    }
    // White space at the end may belong to a combining mark to come.
    const from = Math.max(context.length, start === whole.length && !isEnd ? start - 1 : start)
    const inSentence = whole.slice(Math.min(sentence, from), from)
    context = from === context.length && sentence === 0 ? context : contextOf(inSentence)
    pending = whole.slice(from)
    parts = []
    partsLength = 0
    worthwhile = pending.length > 2 * decidedLength(laterLength.max) ? pending.length : 1
    return pieces.map((piece) => trimEnd(text.slice(piece.start, piece.end)))
  }

  return {
    push: (text) => {
      parts.push(text)
      partsLength += text.length
      return partsLength < worthwhile ? [] : cut(false)
    },
    end: () => cut(true)
  }
}
