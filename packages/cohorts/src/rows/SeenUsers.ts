import type { PhoneNumber } from "@trunkline/kernel"
import { Either } from "effect"
import type { CohortUser } from "../Cohort.js"
import type { CheckedRow, RejectedReason } from "./RowCheck.js"
import { TextSet } from "./TextSet.js"

/** Number of tables in a set. Each grows on its own, which takes a fraction of a millisecond. */
const tableCount = 256

const smallestTable = 16

interface Table {
  /** The numbers, with 0 in free slots. The length is a power of two; at most three quarters are taken. */
  slots: Float64Array
  entryCount: number
}

/** The slot that holds a number, or would hold it. */
const findSlot = (slots: Float64Array, number: number, hash: number): number => {
  const last = slots.length - 1
  let slot = hash & last
  while (slots[slot] !== number && slots[slot] !== 0) slot = slot + 1 & last
  return slot
}

/**
 * A set of millions of positive integers up to 2^53: 11 to 22 bytes each, outside the JavaScript heap, without long
 * pauses. `seed` is as for a `TextSet`.
 */
class NumberSet {
  readonly #seed: number
  readonly #tables = Array.from({ length: tableCount }, (): Table => ({
    slots: new Float64Array(smallestTable),
    entryCount: 0
  }))

  constructor(seed: number) {
    this.#seed = seed
  }

  has(number: number): boolean {
    const hash = this.#hash(number)
    const { slots } = this.#tableOf(hash)
    return slots[findSlot(slots, number, hash)] === number
  }

  /** Adds a number; false if it was there. */
  add(number: number): boolean {
    const hash = this.#hash(number)
    const table = this.#tableOf(hash)
    const slot = findSlot(table.slots, number, hash)
    if (table.slots[slot] === number) return false
    table.slots[slot] = number
    table.entryCount += 1
    if (table.entryCount * 4 > table.slots.length * 3) this.#grow(table)
    return true
  }

  #hash(number: number): number {
    let hash = Math.imul(this.#seed ^ number, 0x5bd1e995)
    hash = Math.imul(hash ^ hash >>> 15 ^ number / 0x100000000, 0x2c1b3c6d)
    hash = Math.imul(hash ^ hash >>> 12 ^ this.#seed, 0x297a2d39)
    return (hash ^ hash >>> 15) >>> 0
  }

  #tableOf(hash: number): Table {
    return this.#tables[hash >>> 24] ?? { slots: new Float64Array(smallestTable), entryCount: 0 }
  }

  #grow(table: Table): void {
    const slots = new Float64Array(table.slots.length * 2)
    for (const number of table.slots) {
      if (number > 0) slots[findSlot(slots, number, this.#hash(number))] = number
    }
    table.slots = slots
  }
}

/** The digits of an E.164 number: at most 15, so that they fit a double. */
const digitsOf = (phone: PhoneNumber): number => {
  let digits = 0
  for (let index = 1; index < phone.length; index += 1) digits = digits * 10 + phone.charCodeAt(index) - 0x30
  return digits
}

/**
 * The users of a file so far, to find duplicates: the first row with a phone number, or with an identifier, wins. A million
 * users with identifiers of a dozen characters take 48 MB.
 *
 * `seed` is any 32-bit integer. Results do not depend on it; a random one prevents files crafted to cause collisions.
 */
export class SeenUsers {
  readonly #phones: NumberSet
  readonly #identifiers: TextSet

  constructor(seed = 0) {
    this.#phones = new NumberSet(seed)
    this.#identifiers = new TextSet(seed)
  }

  /** Adds a user, or returns the reasons for which it is a duplicate. A duplicate row reserves nothing. */
  claim({ identifier, user }: CheckedRow): Either.Either<CohortUser, ReadonlyArray<RejectedReason>> {
    const digits = digitsOf(user.user_phone_number)
    if (identifier !== null && this.#identifiers.has(identifier)) {
      return Either.left([
        ...(this.#phones.has(digits) ? ["duplicate_phone_number" as const] : []),
        "duplicate_user_identifier" as const
      ])
    }
    if (!this.#phones.add(digits)) return Either.left(["duplicate_phone_number"])
    if (identifier !== null) this.#identifiers.add(identifier)
    return Either.right(user)
  }
}
