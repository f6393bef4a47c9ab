import type { PhoneNumber } from "@trunkline/kernel"
import { Effect, Option, type Scope, Stream } from "effect"

/** A contact of a rehearsal. Its number is only used to detect duplicates. */
export interface RehearsalContact {
  readonly user_phone_number: PhoneNumber
}

/** The contacts of a rehearsal, in order, or their number. A stream is read once, as the campaign progresses. */
export type RehearsalContacts = number | Iterable<RehearsalContact> | Stream.Stream<RehearsalContact>

/** A contact on a list. Contacts that are known by position only have no number, and are never repeated. */
export interface ListedContact {
  /** Position in the list, from 1; counted when absent. */
  readonly person?: number
  readonly user_phone_number: PhoneNumber | null
}

/** The next contacts of a list; empty from its end on. */
export type ContactSource = Effect.Effect<ReadonlyArray<ListedContact>>

/** Every `step`-th of `count` contacts, known by position only. */
export const numberedContacts = (count: number, step = 1): Iterable<ListedContact> => ({
  *[Symbol.iterator]() {
    for (let person = 1; person <= count; person += step) yield { person, user_phone_number: null }
  }
})

const pageSize = 500

/** A source that reads contacts of a list. */
export const sourceOfIterable = (people: Iterable<ListedContact>): ContactSource => {
  const iterator = people[Symbol.iterator]()
  return Effect.sync(() => {
    const read: Array<ListedContact> = []
    while (read.length < pageSize) {
      const next = iterator.next()
      if (next.done === true) break
      read.push(next.value)
    }
    return read
  })
}

/** Reads a stream at its own speed. */
const sourceOfStream = (
  people: Stream.Stream<RehearsalContact>
): Effect.Effect<ContactSource, never, Scope.Scope> =>
  Effect.map(Stream.toPull(Stream.rechunk(people, pageSize)), (pull) =>
    Effect.matchEffect(pull, {
      onFailure: Option.match({ onNone: () => Effect.succeed([]), onSome: (never: never) => Effect.succeed(never) }),
      onSuccess: (chunk) => Effect.succeed([...chunk])
    }))

/** A source that reads contacts from first to last. */
export const makeContactSource = (contacts: RehearsalContacts): Effect.Effect<ContactSource, never, Scope.Scope> =>
  typeof contacts === "number"
    ? Effect.succeed(sourceOfIterable(numberedContacts(contacts)))
    : Symbol.iterator in contacts
    ? Effect.succeed(sourceOfIterable(contacts))
    : sourceOfStream(contacts)
