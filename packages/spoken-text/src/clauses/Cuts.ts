import { ATTACHED } from "./Sentences.js"

/** How long a piece may be, in UTF-16 units. */
export interface Room {
  /** A cut at a clause mark or a conjunction leaves at least so much. */
  readonly least: number
  /** Longer text is cut where there is a clause mark. */
  readonly aim: number
  /** Longer text is cut in any case. */
  readonly most: number
}

/** The end of a sentence is not cut off when it is shorter than this. */
const LEAST_REST = 15

/** A clause mark this near to the beginning is still a better place than any space. */
const LEAST_CLAUSE = 10

/** What there is to say in a text: a letter or a figure. */
export const SPOKEN = /[\p{L}\p{N}]/u

const marks = new RegExp(`[,;:][)\\]"'”’»]*(?=\\s(?!${ATTACHED}))|[—–](?![\\d]|${ATTACHED})`, "gu")

const spaces = new RegExp(`\\s(?!${ATTACHED})`, "gu")

/** The last place within bounds, both included. */
const lastWithin = (places: ReadonlyArray<number>, from: number, to: number): number | undefined =>
  places.findLast((place) => place >= from && place <= to)

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The last place at or before `most` between two characters as readers see them, or the end of the first of them. */
export const graphemeCut = (text: string, most: number): number => {
  const held = graphemes.segment(text).containing(most)
  return held === undefined ? text.length : held.index === 0 ? held.segment.length : held.index
}

/**
 * Where the first piece of a sentence ends: at a clause mark, else before a conjunction, else at a space, and nowhere
 * without any of them. It is the length of the sentence where it is short enough to stay whole.
 */
export const cutPlace = (
  sentence: string,
  { aim, least, most }: Room,
  conjunctions: ReadonlySet<string>
): number | undefined => {
  if (sentence.length <= aim) return sentence.length
  const start = sentence.slice(0, most + 1)
  const early = sentence.length - LEAST_REST
  const spoken = start.search(SPOKEN)
  const isSpoken = (place: number) => spoken >= 0 && place > spoken
  const clauses = Array.from(start.matchAll(marks), ({ 0: mark, index }) => index + mark.length).filter(isSpoken)
  const clause = lastWithin(clauses, least, Math.min(aim, early)) ??
    clauses.find((place) => place > aim && place <= most)
  if (clause !== undefined) return clause
  if (sentence.length <= most) return sentence.length
  const gaps = Array.from(start.matchAll(spaces), ({ index }) => index).filter(isSpoken)
  const conjunctionGaps = gaps.filter((gap) => conjunctions.has(/^\s+(\S{1,12})/u.exec(start.slice(gap))?.[1] ?? ""))
  return lastWithin(conjunctionGaps, least, Math.min(most, early)) ??
    lastWithin(clauses, LEAST_CLAUSE, most) ??
    lastWithin(gaps, 1, Math.min(most, early)) ??
    lastWithin(gaps, 1, most)
}
