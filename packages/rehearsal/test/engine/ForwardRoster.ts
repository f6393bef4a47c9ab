import { Roster, type RosterEntry } from "@trunkline/campaigns"
import { CohortId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import type { ContactSource, ListedContact } from "../../src/simulation/ContactSource.js"

/** An unassigned phone number: no number in India begins with 0. */
const unassignedNumber = (person: number): PhoneNumber =>
  PhoneNumber.make(`+91${String(person).padStart(10, "0")}`, { disableValidation: true })

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
        user_phone_number: user_phone_number ?? unassignedNumber(person ?? read),
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
      filterStopped: () => Effect.succeed(new Set())
    })
  })
