/** How many tables a set is divided into: each grows by itself, which takes a fraction of a millisecond. */
const tableCount = 256

const smallestTable = 16

interface Table {
  /** The numbers; 0 in free slots. A power of two, at most three quarters of them taken. */
  slots: Float64Array
  taken: number
}

/** The slot of a number: where it is, or where it would be. */
const find = (slots: Float64Array, number: number, hash: number): number => {
  const last = slots.length - 1
  let slot = hash & last
  while (slots[slot] !== number && slots[slot] !== 0) slot = slot + 1 & last
  return slot
}

/**
 * A set of millions of positive whole numbers up to 2^53: 11 to 22 bytes each, outside the JavaScript heap, and never
 * long over anything. `seed` is as for a `TextSet`.
 */
export class NumberSet {
  readonly #seed: number
  readonly #tables = Array.from({ length: tableCount }, (): Table => ({
    slots: new Float64Array(smallestTable),
    taken: 0
  }))

  constructor(seed: number) {
    this.#seed = seed
  }

  has(number: number): boolean {
    const hash = this.#hash(number)
    const { slots } = this.#tableOf(hash)
    return slots[find(slots, number, hash)] === number
  }

  /** Adds a number; false when it was there. */
  add(number: number): boolean {
    const hash = this.#hash(number)
    const table = this.#tableOf(hash)
    const slot = find(table.slots, number, hash)
    if (table.slots[slot] === number) return false
    table.slots[slot] = number
    table.taken += 1
    if (table.taken * 4 > table.slots.length * 3) this.#grow(table)
    return true
  }

  #hash(number: number): number {
    let hash = Math.imul(this.#seed ^ number, 0x5bd1e995)
    hash = Math.imul(hash ^ hash >>> 15 ^ number / 0x100000000, 0x2c1b3c6d)
    hash = Math.imul(hash ^ hash >>> 12 ^ this.#seed, 0x297a2d39)
    return (hash ^ hash >>> 15) >>> 0
  }

  #tableOf(hash: number): Table {
    return this.#tables[hash >>> 24] ?? { slots: new Float64Array(smallestTable), taken: 0 }
  }

  #grow(table: Table): void {
    const slots = new Float64Array(table.slots.length * 2)
    for (const number of table.slots) {
      if (number > 0) slots[find(slots, number, this.#hash(number))] = number
    }
    table.slots = slots
  }
}
