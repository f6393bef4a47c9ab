import type { SearchTerm } from "@trunkline/knowledge"
import type Database from "better-sqlite3"
import { LRUCache } from "lru-cache"
import type { FileHits, FileSearch } from "../Messages.js"
import { matchText } from "./MatchText.js"

/**
 * Passages that are compared for one question: those of its rarest words. Words that most passages have tell little, and
 * comparing all of them would take a hundred times as long.
 */
const maxCompared = 1_000

/** Weights of the columns in BM25: the heading and the text. */
const weights = "2.0, 1.0"

/** Frequencies of words that are kept. */
const maxFrequencies = 10_000

/** Ids of the passages of each collection. */
const idsOfCollection = 2 ** 32

/** Ids that passages may have, from the first to the last. */
type IdRange = readonly [from: number, to: number]

const allIds: IdRange = [0, Number.MAX_SAFE_INTEGER]

interface Hit {
  readonly id: number
  readonly score: number
}

/** The ids of the passages of a collection; undefined for one that the file does not have. */
export const idsOf = (database: Database.Database, collection: string): IdRange | undefined => {
  const row = database.prepare<[string], { readonly id: number }>("select id from collections where name = ?")
    .get(collection)
  return row === undefined ? undefined : [row.id * idsOfCollection, (row.id + 1) * idsOfCollection - 1]
}

/** Finds passages in an open file. */
export class PassageSearcher {
  readonly #database: Database.Database
  readonly #count: Database.Statement<[string, number], { readonly count: number }>
  readonly #best: Database.Statement<[string, number, number, number, number], Hit>
  readonly #passage: Database.Statement<[number], NonNullable<FileHits>[number]>
  /** Number of passages with a term, up to `maxCompared` + 1, by its text; those of `#version`. */
  readonly #frequencies = new LRUCache<string, number>({ max: maxFrequencies })
  #version = -1

  constructor(database: Database.Database) {
    this.#database = database
    this.#count = database.prepare(
      "select count(*) as count from (select rowid from words where words match ? limit ?)"
    )
    this.#best = database.prepare(
      `select id, score from (
        select rowid as id, -bm25(words, ${weights}) as score from words
        where words match ? and rowid between ? and ? limit ?
      ) order by score desc limit ?`
    )
    this.#passage = database.prepare(
      `select document_id, collection, title, source, position, heading, page, text, 0 as score
      from passages join documents on documents.id = passages.document where passages.id = ?`
    )
  }

  /** The most relevant passages first. */
  search({ collections, limit, terms, version }: FileSearch): NonNullable<FileHits> {
    if (version !== this.#version) this.#frequencies.clear()
    this.#version = version
    const ranges = collections?.flatMap((name) => {
      const range = idsOf(this.#database, name)
      return range === undefined ? [] : [range]
    }) ?? [allIds]
    const hits = ranges.flatMap((range) => this.#hits(terms, range, limit))
    return hits.toSorted((one, other) => other.score - one.score).slice(0, limit).flatMap(({ id, score }) => {
      const passage = this.#passage.get(id)
      return passage === undefined ? [] : [{ ...passage, score }]
    })
  }

  /** The best passages with the rarest of the terms, as many of these as may be compared. */
  #hits(terms: ReadonlyArray<SearchTerm>, range: IdRange, limit: number): ReadonlyArray<Hit> {
    const ranking = terms
      .map((term) => ({ term, frequency: this.#frequency(term) }))
      .filter(({ frequency }) => frequency > 0)
      .sort((one, other) => one.frequency - other.frequency)
    let sum = 0
    const rareTerms = ranking.filter(({ frequency }) => (sum += frequency) <= maxCompared)
    if (rareTerms.length > 0) {
      const best = this.#bestOf(rareTerms.map(({ term }) => term), { join: "OR", range, limit })
      if (best.length > 0) return best
    }
    // All of the words are frequent, or the others are in other collections: two together tell more than one.
    const frequent = ranking.slice(rareTerms.length).map(({ term }) => term)
    const together = frequent.length < 2 ? [] : this.#bestOf(frequent.slice(0, 2), { join: "AND", range, limit })
    return together.length > 0 || frequent.length === 0
      ? together
      : this.#bestOf(frequent.slice(0, 1), { join: "OR", range, limit })
  }

  #bestOf(
    terms: ReadonlyArray<SearchTerm>,
    { join, limit, range: [from, to] }: {
      readonly join: "AND" | "OR"
      readonly range: IdRange
      readonly limit: number
    }
  ): ReadonlyArray<Hit> {
    return this.#best.all(matchText(terms, join), from, to, maxCompared, limit)
  }

  #frequency(term: SearchTerm): number {
    const text = matchText([term], "OR")
    const before = this.#frequencies.get(text)
    if (before !== undefined) return before
    const count = this.#count.get(text, maxCompared + 1)?.count ?? 0
    this.#frequencies.set(text, count)
    return count
  }
}
