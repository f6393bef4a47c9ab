import { MemoryTable, type PhoneNumber } from "@trunkline/kernel"
import { Effect, Iterable, Option } from "effect"
import type { CohortUser } from "../Cohort.js"
import type { CallerEntry } from "./CohortRecords.js"

/** The entries of one `index` call, with the range of their numbers. */
interface Run {
  readonly min: number
  readonly max: number
  readonly rows: ReadonlyMap<PhoneNumber, number>
}

const runOf = (callers: ReadonlyArray<CallerEntry>): Run => {
  const rows = new Map<PhoneNumber, number>()
  let [min, max] = [Infinity, -Infinity]
  for (const { row, user_phone_number } of callers) {
    if (!rows.has(user_phone_number)) rows.set(user_phone_number, row)
    min = Math.min(min, Number(user_phone_number))
    max = Math.max(max, Number(user_phone_number))
  }
  return { min, max, rows }
}

/**
 * The users of a cohort in memory, in batches as they were added, with index entries in runs as they were added. Runs of
 * sorted entries hardly overlap, so a lookup usually searches one of them.
 */
export class MemoryUsers {
  readonly #batches = MemoryTable.make<ReadonlyArray<CohortUser>, ReadonlyArray<CohortUser>>()
  readonly #runs = MemoryTable.make<Run, Run>()

  /** An empty set of users. */
  static readonly make = (): MemoryUsers => new MemoryUsers()

  /** Adds users in the order of their rows. */
  keep(users: ReadonlyArray<CohortUser>): Effect.Effect<void> {
    return Effect.suspend(() => this.#batches.set(users, users))
  }

  /** Indexes users by phone number; the first row with a number counts. */
  index(callers: ReadonlyArray<CallerEntry>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const run = runOf(callers)
      return this.#runs.set(run, run)
    })
  }

  /** The users after a row. */
  *after(row: number): Generator<CohortUser> {
    for (const batch of this.#batches.values()) {
      if ((batch.at(-1)?.row ?? 0) <= row) continue
      for (const user of batch) {
        if (user.row > row) yield user
      }
    }
  }

  /** Checks whether a number is indexed. */
  has(phone: PhoneNumber): boolean {
    return this.#rowOf(phone) !== undefined
  }

  /** The user with an indexed number. */
  find(phone: PhoneNumber): Option.Option<CohortUser> {
    return Option.flatMap(
      Option.fromNullable(this.#rowOf(phone)),
      (row) => Option.filter(Iterable.head(this.after(row - 1)), (user) => user.row === row)
    )
  }

  #rowOf(phone: PhoneNumber): number | undefined {
    const number = Number(phone)
    for (const { max, min, rows } of this.#runs.values()) {
      const row = min <= number && number <= max ? rows.get(phone) : undefined
      if (row !== undefined) return row
    }
    return undefined
  }
}
