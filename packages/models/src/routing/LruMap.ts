/** Capacity for tenants; beyond it, the least recently seen are forgotten. */
export const mostTenants = 1_024

/** A map that creates missing values on access and, beyond its capacity, drops the least recently used entry. */
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
