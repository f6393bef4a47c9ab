import type { QueryResult } from "@trunkline/warehouse"

/** What a cache keeps. */
export interface ResultCacheOptions {
  /** How long a result may be given again, in milliseconds. */
  readonly lifetime: number
  /** How much memory all results may take, as `sizeOf` estimates it. */
  readonly bytes: number
}

/** Results by key, for a while. Times are in milliseconds and never go back. */
export interface ResultCache {
  /** A result that is young enough. */
  readonly get: (key: string, now: number) => QueryResult | undefined
  /** Keeps a result; others go for it, those first that nobody asked for longest. One that is too large is not kept. */
  readonly put: (key: string, result: QueryResult, now: number) => void
  /** Forgets all results. */
  readonly clear: () => void
  /** How much memory the results take, as `sizeOf` estimates it. */
  readonly size: () => number
}

interface Entry {
  readonly result: QueryResult
  readonly bytes: number
  readonly until: number
}

/** An entry with its key, and an array with its place in the one around it. */
const [entrySize, arraySize, cellSize] = [512, 40, 16]

/** How much memory a result takes, roughly and rather too much: two bytes for each character. */
export const sizeOf = ({ columns, rows }: QueryResult): number => {
  let bytes = entrySize
  for (const { name, type = "" } of columns) bytes += arraySize + 2 * (name.length + type.length)
  for (const row of rows) {
    bytes += arraySize
    for (const cell of row) bytes += typeof cell === "string" ? cellSize + 2 * cell.length : cellSize
  }
  return bytes
}

/** An empty cache. */
export const makeResultCache = ({ bytes: capacity, lifetime }: ResultCacheOptions): ResultCache => {
  /** The oldest first. */
  const byAge = new Map<string, Entry>()
  /** What was not asked for longest comes first. */
  const byUse = new Map<string, Entry>()
  let size = 0

  const remove = (key: string) => {
    const entry = byAge.get(key)
    if (entry === undefined) return
    byAge.delete(key)
    byUse.delete(key)
    size -= entry.bytes
  }
  const expire = (now: number) => {
    for (const [key, { until }] of byAge) {
      if (now < until) return
      remove(key)
    }
  }

  return {
    get: (key, now) => {
      expire(now)
      const entry = byUse.get(key)
      if (entry === undefined) return undefined
      byUse.delete(key)
      byUse.set(key, entry)
      return entry.result
    },
    put: (key, result, now) => {
      expire(now)
      remove(key)
      const entry = { result, bytes: sizeOf(result), until: now + lifetime }
      if (entry.bytes > capacity) return
      for (const unused of byUse.keys()) {
        if (size + entry.bytes <= capacity) break
        remove(unused)
      }
      byAge.set(key, entry)
      byUse.set(key, entry)
      size += entry.bytes
    },
    clear: () => {
      byAge.clear()
      byUse.clear()
      size = 0
    },
    size: () => size
  }
}
