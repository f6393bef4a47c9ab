import { type PhoneNumber, type Scope, scopeKey, undoable } from "@trunkline/kernel"
import type { Effect } from "effect"

/** How long it is known that a number was dialled: longer than any day lasts. */
export const NOTES_MILLIS = 3 * 24 * 60 * 60_000

/** When a workspace dialled a number. */
export class DialNotes {
  readonly #notes = new Map<string, ReadonlyArray<number>>()

  readonly note = (scope: Scope, at: number, numbers: ReadonlyArray<PhoneNumber>): Effect.Effect<void> =>
    undoable(() => {
      const undo = numbers.map((number) =>
        this.#replace(scope, number, (moments) => [...moments.filter((moment) => moment > at - NOTES_MILLIS), at])
      )
      return () => undo.reverse().forEach((one) => one())
    })

  readonly forget = (scope: Scope, at: number, number: PhoneNumber): Effect.Effect<void> =>
    undoable(() =>
      this.#replace(scope, number, (moments) => {
        const place = moments.lastIndexOf(at)
        return place < 0 ? moments : moments.toSpliced(place, 1)
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
    return this.#notes.get(`${scopeKey(scope)} ${number}`) ?? []
  }

  #replace(
    scope: Scope,
    number: PhoneNumber,
    change: (moments: ReadonlyArray<number>) => ReadonlyArray<number>
  ): () => void {
    const before = this.#of(scope, number)
    const key = `${scopeKey(scope)} ${number}`
    const after = change(before)
    if (after.length === 0) this.#notes.delete(key)
    else this.#notes.set(key, after)
    return () => void this.#notes.set(key, before)
  }
}
