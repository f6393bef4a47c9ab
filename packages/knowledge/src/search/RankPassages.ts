import { Array as Arrays, Order } from "effect"
import type { FoundPassage } from "../records/KnowledgeDocument.js"
import type { SearchTerm } from "../words/Question.js"
import { stemsOf } from "../words/Words.js"
import type { IndexedDocument, PassageSearch } from "./PassageSearch.js"

/** Weight of a word in a title or a heading; one in the text has 1. */
const headingWeight = 2

/** Parameters of BM25, those of SQLite's FTS5. */
const k1 = 1.2
const b = 0.75

/** A passage with the stems of its words. */
export interface PassageEntry {
  readonly heading: ReadonlyArray<string>
  readonly text: ReadonlyArray<string>
  readonly passage: Omit<FoundPassage, "score">
}

/** Number of times that a term occurs in stems. */
const occurrences = (stems: ReadonlyArray<string>, term: SearchTerm): number =>
  stems.filter((_, at) =>
    term.stems.every((stem, index) => {
      const other = stems[at + index] ?? ""
      return term.isPrefix && index === term.stems.length - 1 ? other.startsWith(stem) : other === stem
    })
  ).length

/** The passages of a document, to be ranked. */
export const entriesOf = ({ document, passages }: IndexedDocument): ReadonlyArray<PassageEntry> => {
  const { collection, document_id, source, title } = document
  return passages.map(({ heading, page, text }, position) => ({
    heading: stemsOf(`${title} ${heading}`),
    text: stemsOf(text),
    passage: { document_id, collection, title, source, position, heading, page, text }
  }))
}

/** Ranks the passages with any of the terms. */
const rank = (entries: ReadonlyArray<PassageEntry>, { terms }: PassageSearch): ReadonlyArray<FoundPassage> => {
  const lengths = entries.map(({ heading, text }) => heading.length + text.length)
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const counts = terms.map((term) =>
    entries.map(({ heading, text }) => occurrences(heading, term) * headingWeight + occurrences(text, term))
  )
  const rarities = counts.map((of) => {
    const holding = of.filter((count) => count > 0).length
    return Math.max(1e-6, Math.log((entries.length - holding + 0.5) / (holding + 0.5)))
  })
  return entries.flatMap(({ passage }, at) => {
    const norm = k1 * (1 - b + b * (lengths[at] ?? 0) / average)
    const score = counts.reduce((sum, of, term) => {
      const count = of[at] ?? 0
      return sum + (rarities[term] ?? 0) * (count * (k1 + 1)) / (count + norm)
    }, 0)
    return score > 0 ? [{ ...passage, score }] : []
  })
}

const best = Order.mapInput(Order.reverse(Order.number), ({ score }: FoundPassage) => score)

/** The passages with any of the terms by BM25, the best first, up to the limit of the search. */
export const bestPassages = (
  entries: ReadonlyArray<PassageEntry>,
  search: PassageSearch
): ReadonlyArray<FoundPassage> => Arrays.take(Arrays.sort(rank(entries, search), best), search.limit)
