/** How many tenants a guard knows; of more, it forgets those that have not called for the longest time. */
export const mostTenants = 1_024

/** A map that makes its values when they are asked for, and forgets the least recently used of more than its capacity. */
export class LruMap<K, V> {
  readonly #capacity: number
  readonly #make: (key: K) => V
  readonly #entries = new Map<K, V>()

  constructor(capacity: number, make: (key: K) => V) {
    this.#capacity = capacity
    this.#make = make
  }

  /** The value of a key, a new one where there is none. */
  get(key: K): V {
    const value = this.#entries.get(key) ?? this.#make(key)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) {
      const [oldest = key] = this.#entries.keys()
      this.#entries.delete(oldest)
    }
    return value
  }

  /** The values that are kept, the least recently used one first. */
  values(): Iterable<V> {
    return this.#entries.values()
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear()
  }
}
