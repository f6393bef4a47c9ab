import { Roster, type RosterEntry } from "@trunkline/campaigns"
import { BusinessTime, CohortId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Layer, Option, type Scope, Stream } from "effect"

/** Somebody in the list of a rehearsal. Their number is compared with those of others, and appears nowhere. */
export interface RehearsalPerson {
  readonly user_phone_number: PhoneNumber
}

/** Who is called: people, in order, or how many they are. A stream is read once, as the campaign gets on. */
export type RehearsalContacts = number | Iterable<RehearsalPerson> | Stream.Stream<RehearsalPerson>

/** Somebody with their place in the list, from 1; it is counted where it is not given. */
export interface ListedPerson extends RehearsalPerson {
  readonly person?: number
}

/** The next people of a list; nobody at its end, and ever after. */
export type PeopleSource = Effect.Effect<ReadonlyArray<ListedPerson>>

/** A number that belongs to nobody: none begins with 0 in India. */
const nobodysNumber = (person: number): PhoneNumber =>
  PhoneNumber.make(`+91${String(person).padStart(10, "0")}`, { disableValidation: true })

/** Every `step`-th person of so many, of whom nothing is known but their place. */
export const countedPeople = (count: number, step = 1): Iterable<ListedPerson> => ({
  *[Symbol.iterator]() {
    for (let person = 1; person <= count; person += step) yield { person, user_phone_number: nobodysNumber(person) }
  }
})

const atOnce = 500

const sourceOfIterable = (people: Iterable<ListedPerson>): PeopleSource => {
  const iterator = people[Symbol.iterator]()
  return Effect.sync(() => {
    const read: Array<ListedPerson> = []
    while (read.length < atOnce) {
      const next = iterator.next()
      if (next.done === true) break
      read.push(next.value)
    }
    return read
  })
}

/** Reads the world at its own pace: the time of the rehearsal stands still meanwhile. */
const sourceOfStream = (
  people: Stream.Stream<RehearsalPerson>
): Effect.Effect<PeopleSource, never, Scope.Scope> =>
  Effect.map(Stream.toPull(Stream.rechunk(people, atOnce)), (pull) =>
    BusinessTime.hold(Effect.matchEffect(pull, {
      onFailure: Option.match({ onNone: () => Effect.succeed([]), onSome: (never: never) => Effect.succeed(never) }),
      onSuccess: (chunk) => Effect.succeed([...chunk])
    })))

/** What reads contacts from the first to the last. */
export const peopleSource = (contacts: RehearsalContacts): Effect.Effect<PeopleSource, never, Scope.Scope> =>
  typeof contacts === "number"
    ? Effect.succeed(sourceOfIterable(countedPeople(contacts)))
    : Symbol.iterator in contacts
    ? Effect.succeed(sourceOfIterable(contacts))
    : sourceOfStream(contacts)

const cohort_id = CohortId.make("coh-rehearsal")
const nothing = {}

/** A roster that goes forward only and keeps nobody whom the campaign has enrolled. */
export const rosterOf = (source: PeopleSource): Layer.Layer<Roster> =>
  Layer.sync(Roster, () => {
    let read = 0
    let ahead: ReadonlyArray<RosterEntry> = []
    let isOver = false

    const entryOf = ({ person, user_phone_number }: ListedPerson): RosterEntry => {
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
