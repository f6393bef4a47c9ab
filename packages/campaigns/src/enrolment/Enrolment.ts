import { BusinessTime, FaultPoints, macroTask, type PhoneNumber, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import { type Contact, newcomer } from "../contacts/Contact.js"
import { finished } from "../contacts/Transitions.js"
import { DispatchStore } from "../dispatch/DispatchStore.js"
import { refuse } from "../gate/Decision.js"
import { Roster } from "./Roster.js"

/** Lets the event loop turn: where all are stopped, one batch follows the other. */
const pause = BusinessTime.hold(macroTask)

const nobody: ReadonlySet<PhoneNumber> = new Set()

/** People taken from the roster at a time. */
const BATCH = 500

/** Numbers taken from the stop files at a time: few, since dials wait until they are dealt with. */
const STOP_BATCH = 200

/**
 * Turns people of the roster into contacts of the campaign as they are needed, and finishes those whose numbers stop
 * files bring.
 */
export class Enrolment extends Context.Tag("@trunkline/campaigns/Enrolment")<Enrolment, {
  /** Takes the next people from the roster; false when there are none just now. */
  readonly enrolMore: (owned: OwnedCampaign) => Effect.Effect<boolean>
  /** Finishes the next people of stop files who wait; false when there are none just now. */
  readonly stopMore: (owned: OwnedCampaign) => Effect.Effect<boolean>
  /**
   * Whether everybody there is has been enrolled: there are cohorts, and all of them are read to the end. A stop file
   * that is still read is not waited for, since it brings nobody.
   */
  readonly isComplete: (owned: OwnedCampaign) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.effect(
    Enrolment,
    Effect.gen(function*() {
      const roster = yield* Roster
      const dispatch = yield* DispatchStore
      const transactions = yield* Transactions
      const faults = yield* FaultPoints

      const next = ({ campaign, scope }: OwnedCampaign, limit: number) =>
        Effect.flatMap(
          dispatch.cursor(campaign.campaign_id),
          (cursor) => roster.next(scope, campaign.campaign_id, cursor, limit)
        )

      /** Who of them is stopped already. Stop files of which nothing has been read yet are about to be. */
      const stopped = ({ campaign: { campaign_id }, scope }: OwnedCampaign, numbers: ReadonlyArray<PhoneNumber>) =>
        Effect.flatMap(
          dispatch.stopCursor(campaign_id),
          (cursor) => cursor === null ? Effect.succeed(nobody) : roster.stopped(scope, campaign_id, numbers)
        )

      const enrolMore = Effect.fn("Enrolment.enrolMore")(function*(owned: OwnedCampaign) {
        const people = yield* next(owned, BATCH)
        const last = people.at(-1)
        if (last === undefined) return false
        const now = yield* BusinessTime.now
        const { campaign_id } = owned.campaign
        const stops = yield* stopped(owned, people.map((person) => person.user_phone_number))
        const contacts = people.map((person): Contact => {
          const contact = newcomer(campaign_id, person, now)
          return stops.has(person.user_phone_number) ? finished(contact, refuse("stopped", now)) : contact
        })
        yield* faults.after("enrol.kept")(transactions.run(dispatch.enrol(campaign_id, contacts, last.cursor)))
        yield* pause
        return true
      })

      const stopMore = ({ campaign: { campaign_id }, scope }: OwnedCampaign) =>
        Effect.gen(function*() {
          const after = yield* dispatch.stopCursor(campaign_id)
          const stops = yield* roster.stops(scope, campaign_id, after, STOP_BATCH)
          const last = stops.at(-1)
          if (last === undefined) return false
          const numbers = stops.map((stop) => stop.user_phone_number)
          const decision = refuse("stopped", yield* BusinessTime.now)
          yield* transactions.run(
            Effect.zipRight(
              dispatch.finish(campaign_id, numbers, decision),
              dispatch.setStopCursor(campaign_id, last.cursor)
            )
          )
          yield* pause
          return true
        })

      return Enrolment.of({
        enrolMore,
        stopMore,
        isComplete: (owned) =>
          Effect.gen(function*() {
            const { processing, total } = yield* roster.cohorts(owned.scope, owned.campaign.campaign_id)
            return total > 0 && processing === 0 && (yield* next(owned, 1)).length === 0
          })
      })
    })
  )
}
