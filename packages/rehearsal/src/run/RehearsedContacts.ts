import { Roster, type RosterEntry } from "@trunkline/campaigns"
import { BusinessTime, CohortId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Layer, Option, type Scope, Stream } from "effect"

/** A contact of a rehearsal. Its number is only used to detect duplicates. */
export interface RehearsalContact {
  readonly user_phone_number: PhoneNumber
}

/** The contacts of a rehearsal, in order, or their number. A stream is read once, as the campaign progresses. */
export type RehearsalContacts = number | Iterable<RehearsalContact> | Stream.Stream<RehearsalContact>

/** A contact with its position in the list, from 1; counted when absent. */
export interface ListedContact extends RehearsalContact {
  readonly person?: number
}

/** The next contacts of a list; empty from its end on. */
export type ContactSource = Effect.Effect<ReadonlyArray<ListedContact>>

/** An unassigned phone number: no number in India begins with 0. */
const unassignedNumber = (person: number): PhoneNumber =>
  PhoneNumber.make(`+91${String(person).padStart(10, "0")}`, { disableValidation: true })

/** Every `step`-th of `count` contacts, known by position only. */
export const numberedContacts = (count: number, step = 1): Iterable<ListedContact> => ({
  *[Symbol.iterator]() {
    for (let person = 1; person <= count; person += step) yield { person, user_phone_number: unassignedNumber(person) }
  }
})

const PAGE_SIZE = 500

const sourceOfIterable = (people: Iterable<ListedContact>): ContactSource => {
  const iterator = people[Symbol.iterator]()
  return Effect.sync(() => {
    const read: Array<ListedContact> = []
    while (read.length < PAGE_SIZE) {
      const next = iterator.next()
      if (next.done === true) break
      read.push(next.value)
    }
    return read
  })
}

/** Reads a stream at its own speed; simulated time stands still meanwhile. */
const sourceOfStream = (
  people: Stream.Stream<RehearsalContact>
): Effect.Effect<ContactSource, never, Scope.Scope> =>
  Effect.map(Stream.toPull(Stream.rechunk(people, PAGE_SIZE)), (pull) =>
    BusinessTime.hold(Effect.matchEffect(pull, {
      onFailure: Option.match({ onNone: () => Effect.succeed([]), onSome: (never: never) => Effect.succeed(never) }),
      onSuccess: (chunk) => Effect.succeed([...chunk])
    })))

/** A source that reads contacts from first to last. */
export const makeContactSource = (contacts: RehearsalContacts): Effect.Effect<ContactSource, never, Scope.Scope> =>
  typeof contacts === "number"
    ? Effect.succeed(sourceOfIterable(numberedContacts(contacts)))
    : Symbol.iterator in contacts
    ? Effect.succeed(sourceOfIterable(contacts))
    : sourceOfStream(contacts)

const cohort_id = CohortId.make("coh-rehearsal")
const nothing = {}

/** A forward-only roster, which drops contacts once they are enrolled. */
export const rosterOf = (source: ContactSource): Layer.Layer<Roster> =>
  Layer.sync(Roster, () => {
    let read = 0
    let ahead: ReadonlyArray<RosterEntry> = []
    let isOver = false

    const entryOf = ({ person, user_phone_number }: ListedContact): RosterEntry => {
      read += 1
      return {
        cursor: { completed_seq: 1, row: read },
        cohort_id,
        user_identifier: String(person ?? read),
        user_phone_number,
        agent_variables: nothing,
        app_overrides: nothing
      }
    }

    const readMore = Effect.map(source, (people) => {
      ahead = [...ahead, ...people.map(entryOf)]
      isOver = people.length === 0
    })

    return Roster.of({
      next: (_scope, _campaign, after, limit) =>
        Effect.suspend(() => {
          const row = after?.row ?? 0
          ahead = ahead.filter(({ cursor }) => cursor.row > row)
          const page = Effect.sync(() => ahead.slice(0, limit))
          const isEnough = () => isOver || ahead.length >= limit
          return isEnough() ? page : Effect.zipRight(Effect.repeat(readMore, { until: isEnough }), page)
        }),
      cohorts: () => Effect.sync(() => ({ total: 1, processing: 0, people: read })),
      stops: () => Effect.succeed([]),
      stopped: () => Effect.succeed(new Set())
    })
  })
