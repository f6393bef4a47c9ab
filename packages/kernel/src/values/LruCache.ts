import { LRUCache } from "lru-cache"

/**
 * Makes a cache of the entries that were used last, up to a maximum. Its memory grows with them: given `max`, lru-cache takes that
 * of all entries at once, which is a megabyte for each 40,000.
 */
export const lruCache = <K extends {}, V extends {}>(maxEntries: number): LRUCache<K, V> =>
  new LRUCache<K, V>({ maxSize: maxEntries, sizeCalculation: () => 1 })
