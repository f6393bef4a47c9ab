/** Where something is kept: owners are told apart by name and owner together. */
interface Place {
  readonly name: string
  readonly owner: string
}

/** How much of a round one call is worth, and one newcomer. */
const perCall = 1
const perNewcomer = 64

/** A round begins when this much is due, and looks at so many values: two for a newcomer, one for 32 other calls. */
const roundAt = 1_024
const perRound = 32

/**
 * What is kept in memory for owners, and forgotten when it is spent. Every call is worth a little looking around, so
 * that memory follows what is not spent, no call takes long, and no timer is needed.
 */
export class Holdings<V> {
  readonly #names = new Map<string, Map<string, V>>()
  readonly #fresh: () => V
  readonly #isSpent: (value: V, now: number) => boolean
  #due = 0
  #round = this.#walk()

  constructor(options: {
    /** What an owner has at first. */
    readonly fresh: () => V
    /** Whether a value is as good as a fresh one. */
    readonly isSpent: (value: V, now: number) => boolean
  }) {
    this.#fresh = options.fresh
    this.#isSpent = options.isSpent
  }

  /** How many values are kept. */
  get size(): number {
    let size = 0
    for (const owners of this.#names.values()) size += owners.size
    return size
  }

  /** What is kept here, if anything. */
  find({ name, owner }: Place): V | undefined {
    return this.#names.get(name)?.get(owner)
  }

  /** What is kept here, a fresh value if nothing was. It stays at least until `tend`. */
  obtain({ name, owner }: Place): V {
    const owners = this.#names.get(name) ?? this.#open(name)
    return owners.get(owner) ?? this.#admit(owners, owner)
  }

  /** Looks around for what is spent, when it is time to. To be called once after every use. */
  tend(now: number): void {
    this.#due += perCall
    if (this.#due < roundAt) return
    this.#due = 0
    for (let looked = 0; looked < perRound; looked++) {
      const next = this.#round.next()
      if (next.done) {
        this.#round = this.#walk()
        return
      }
      const { owner, owners, value } = next.value
      if (this.#isSpent(value, now)) owners.delete(owner)
    }
  }

  #open(name: string): Map<string, V> {
    const owners = new Map<string, V>()
    this.#names.set(name, owners)
    return owners
  }

  #admit(owners: Map<string, V>, owner: string): V {
    const value = this.#fresh()
    owners.set(owner, value)
    this.#due += perNewcomer
    return value
  }

  *#walk() {
    for (const [name, owners] of this.#names) {
      for (const [owner, value] of owners) yield { owner, owners, value }
      if (owners.size === 0) this.#names.delete(name)
    }
  }
}
