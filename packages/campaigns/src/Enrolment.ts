import { BusinessTime, Transactions, trusted } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { OwnedCampaign } from "./CampaignStore.js"
import { Contact } from "./Contact.js"
import { DispatchStore } from "./DispatchStore.js"
import { noRetries } from "./RetryPolicy.js"
import { Roster } from "./Roster.js"

/** People taken from the roster at a time. */
const BATCH = 500

/** Turns people of the roster into contacts of the campaign, as they are needed. */
export class Enrolment extends Context.Tag("@trunkline/campaigns/Enrolment")<Enrolment, {
  /** Takes the next people from the roster; false when there are none just now. */
  readonly enrolMore: (owned: OwnedCampaign) => Effect.Effect<boolean>
  /** Whether everybody there is has been enrolled: there are cohorts, and all of them are read to the end. */
  readonly isComplete: (owned: OwnedCampaign) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.effect(
    Enrolment,
    Effect.gen(function*() {
      const roster = yield* Roster
      const dispatch = yield* DispatchStore
      const transactions = yield* Transactions

      const next = ({ campaign, scope }: OwnedCampaign, limit: number) =>
        Effect.flatMap(
          dispatch.cursor(campaign.campaign_id),
          (cursor) => roster.next(scope, campaign.campaign_id, cursor, limit)
        )

      const enrolMore = Effect.fn("Enrolment.enrolMore")(function*(owned: OwnedCampaign) {
        const people = yield* next(owned, BATCH)
        const last = people.at(-1)
        if (last === undefined) return false
        const due_at = yield* BusinessTime.now
        const { campaign_id } = owned.campaign
        const contacts = people.map(({ cursor: _, ...person }) =>
          new Contact({
            ...person,
            campaign_id,
            state: "waiting",
            due_at,
            attempts: 0,
            counters: noRetries,
            called_from: [],
            attempt_id: null
          }, trusted)
        )
        yield* transactions.run(dispatch.enrol(campaign_id, contacts, last.cursor))
        return true
      })

      return Enrolment.of({
        enrolMore,
        isComplete: (owned) =>
          Effect.gen(function*() {
            const { processing, total } = yield* roster.cohorts(owned.scope, owned.campaign.campaign_id)
            return total > 0 && processing === 0 && (yield* next(owned, 1)).length === 0
          })
      })
    })
  )
}
