/** Key of a value: name and owner together. */
interface MapKey {
  readonly name: string
  readonly owner: string
}

/** Sweep credit per call and per insertion. */
const callWeight = 1
const insertWeight = 64

/** Credit that triggers a sweep step, and number of values per step: two per insertion, one per 32 calls. */
const sweepThreshold = 1_024
const sweepSize = 32

/**
 * A map that removes expired values incrementally. Every call contributes to sweeping, so memory follows the live values,
 * no call takes long and no timer is needed.
 */
export class ExpiringMap<V> {
  readonly #names = new Map<string, Map<string, V>>()
  readonly #create: () => V
  readonly #isExpired: (value: V, now: number) => boolean
  #credit = 0
  #walker = this.#walk()

  constructor(options: {
    /** Creates the initial value. */
    readonly create: () => V
    /** True when a value is equivalent to an initial one and can be removed. */
    readonly isExpired: (value: V, now: number) => boolean
  }) {
    this.#create = options.create
    this.#isExpired = options.isExpired
  }

  /** Number of values. */
  get size(): number {
    let size = 0
    for (const owners of this.#names.values()) size += owners.size
    return size
  }

  /** The value of a key, if any. */
  get({ name, owner }: MapKey): V | undefined {
    return this.#names.get(name)?.get(owner)
  }

  /** The value of a key, created when missing. It is not removed before the next `sweep`. */
  getOrCreate({ name, owner }: MapKey): V {
    const owners = this.#names.get(name) ?? this.#open(name)
    return owners.get(owner) ?? this.#admit(owners, owner)
  }

  /** Removes some expired values when due. Call it once after every use. */
  sweep(now: number): void {
    this.#credit += callWeight
    if (this.#credit < sweepThreshold) return
    this.#credit = 0
    for (let count = 0; count < sweepSize; count++) {
      const next = this.#walker.next()
      if (next.done) {
        this.#walker = this.#walk()
        return
      }
      const { owner, owners, value } = next.value
      if (this.#isExpired(value, now)) owners.delete(owner)
    }
  }

  #open(name: string): Map<string, V> {
    const owners = new Map<string, V>()
    this.#names.set(name, owners)
    return owners
  }

  #admit(owners: Map<string, V>, owner: string): V {
    const value = this.#create()
    owners.set(owner, value)
    this.#credit += insertWeight
    return value
  }

  *#walk() {
    for (const [name, owners] of this.#names) {
      for (const [owner, value] of owners) yield { owner, owners, value }
      if (owners.size === 0) this.#names.delete(name)
    }
  }
}
