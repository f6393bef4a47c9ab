import { type PhoneNumber, rollbackable, type Scope, scopeKey } from "@trunkline/kernel"
import type { Effect } from "effect"

/** Age at which records are dropped: three days, longer than a local day can last. */
const retentionMillis = 3 * 24 * 60 * 60_000

/** The moments at which workspaces dialled numbers. */
export class NumberDials {
  readonly #moments = new Map<string, ReadonlyArray<number>>()

  readonly record = (scope: Scope, at: number, numbers: ReadonlyArray<PhoneNumber>): Effect.Effect<void> =>
    rollbackable(() => {
      const rollbacks = numbers.map((number) =>
        this.#replace(scope, number, (moments) => [...moments.filter((moment) => moment > at - retentionMillis), at])
      )
      return () => rollbacks.reverse().forEach((rollback) => rollback())
    })

  readonly remove = (scope: Scope, at: number, number: PhoneNumber): Effect.Effect<void> =>
    rollbackable(() =>
      this.#replace(scope, number, (moments) => {
        const index = moments.lastIndexOf(at)
        return index < 0 ? moments : moments.toSpliced(index, 1)
      })
    )

  since(scope: Scope, from: number, numbers: ReadonlyArray<PhoneNumber>): ReadonlyMap<PhoneNumber, number> {
    const counts = new Map<PhoneNumber, number>()
    for (const number of numbers) {
      const count = this.#of(scope, number).filter((moment) => moment >= from).length
      if (count > 0) counts.set(number, count)
    }
    return counts
  }

  #of(scope: Scope, number: PhoneNumber): ReadonlyArray<number> {
    return this.#moments.get(`${scopeKey(scope)} ${number}`) ?? []
  }

  /** Replaces the moments of a number; returns the rollback. */
  #replace(
    scope: Scope,
    number: PhoneNumber,
    change: (moments: ReadonlyArray<number>) => ReadonlyArray<number>
  ): () => void {
    const before = this.#of(scope, number)
    const key = `${scopeKey(scope)} ${number}`
    const after = change(before)
    if (after.length === 0) this.#moments.delete(key)
    else this.#moments.set(key, after)
    return () => void this.#moments.set(key, before)
  }
}
