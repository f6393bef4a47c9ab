import type { QueryResult } from "@trunkline/warehouse"

/** Limits of a result cache. */
interface ResultCacheOptions {
  /** Time to live of a result, in milliseconds. */
  readonly ttl: number
  /** Memory for all results, in bytes as estimated by `estimateSize`. */
  readonly bytes: number
}

/** Least-recently-used cache of query results with a time to live. Times are in milliseconds and monotonic. */
interface ResultCache {
  /** Returns a result that has not expired and is younger than `maxAge`, by default the time to live. */
  readonly get: (key: string, now: number, maxAge?: number) => QueryResult | undefined
  /** Stores a result, evicting the least recently used ones. A result larger than the capacity is not stored. */
  readonly put: (key: string, result: QueryResult, now: number) => void
  /** Removes all results. */
  readonly clear: () => void
  /** Estimated memory use in bytes. */
  readonly size: () => number
}

interface Entry {
  readonly result: QueryResult
  readonly bytes: number
  readonly expiresAt: number
}

/** Estimated overhead in bytes of a cache entry with its key, of an array in another array, and of a cell. */
const [entrySize, arraySize, cellSize] = [512, 40, 16]

/** Estimates the memory of a result in bytes, rather too high: two bytes per character plus overhead. */
export const estimateSize = ({ columns, rows }: QueryResult): number => {
  let bytes = entrySize
  for (const { name, type = "" } of columns) bytes += arraySize + 2 * (name.length + type.length)
  for (const row of rows) {
    bytes += arraySize
    for (const cell of row) bytes += typeof cell === "string" ? cellSize + 2 * cell.length : cellSize
  }
  return bytes
}

/** Creates an empty cache. */
export const makeResultCache = ({ bytes: capacity, ttl }: ResultCacheOptions): ResultCache => {
  /** Oldest entry first. */
  const byAge = new Map<string, Entry>()
  /** Least recently used entry first. */
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
    for (const [key, { expiresAt: until }] of byAge) {
      if (now < until) return
      remove(key)
    }
  }

  return {
    get: (key, now, maxAge = ttl) => {
      expire(now)
      const entry = byUse.get(key)
      if (entry === undefined || entry.expiresAt - ttl + maxAge <= now) return undefined
      byUse.delete(key)
      byUse.set(key, entry)
      return entry.result
    },
    put: (key, result, now) => {
      expire(now)
      remove(key)
      const entry = { result, bytes: estimateSize(result), expiresAt: now + ttl }
      if (entry.bytes > capacity) return
      for (const oldestKey of byUse.keys()) {
        if (size + entry.bytes <= capacity) break
        remove(oldestKey)
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
