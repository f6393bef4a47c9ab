import { BusinessTime, FaultPoints, macroTask, type PhoneNumber, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import { refuse } from "../contacts/GateResult.js"
import { arrivingContact, type BulkEnrolment } from "../store/BulkEnrolment.js"
import { ContactStore } from "../store/ContactStore.js"
import { DialQueue } from "../store/DialQueue.js"
import { Roster } from "../store/Roster.js"
import { BulkRows } from "./BulkRows.js"

/** Yields to the event loop, because batches without anyone to dial follow each other at once. */
const yieldToEventLoop = BusinessTime.hold(macroTask)

const noNumbers: ReadonlySet<PhoneNumber> = new Set()

/** Contacts enrolled per transaction. */
const batchSize = 500

/** Numbers of stop files handled per transaction: no more, because dials wait for it. */
const stopBatch = 500

/** Enrols contacts from the roster as a campaign needs them, and finishes contacts whose numbers are in stop files. */
export class Enrolment extends Context.Tag("@trunkline/campaigns/Enrolment")<Enrolment, {
  /** Enrols the next batch of contacts; succeeds with false when the roster has none now. */
  readonly enrolMore: (ownedCampaign: OwnedCampaign) => Effect.Effect<boolean>
  /** Finishes the waiting contacts of the next batch of stop file numbers; succeeds with false when there are none now. */
  readonly stopMore: (ownedCampaign: OwnedCampaign) => Effect.Effect<boolean>
  /**
   * Succeeds with true once every contact is enrolled: there are cohorts, and all of them are imported and read to the
   * end. Stop files that are still being imported do not count, because they add no contacts.
   */
  readonly isComplete: (ownedCampaign: OwnedCampaign) => Effect.Effect<boolean>
}>() {
  static readonly layer = Layer.effect(
    Enrolment,
    Effect.gen(function*() {
      const roster = yield* Roster
      const contacts = yield* ContactStore
      const queue = yield* DialQueue
      const transactions = yield* Transactions
      const faults = yield* FaultPoints
      const [arrivals, stops] = [new BulkRows(), new BulkRows()]

      const next = ({ campaign, scope }: OwnedCampaign, limit: number) =>
        Effect.flatMap(
          contacts.cursor(campaign.campaign_id),
          (cursor) => roster.next(scope, campaign.campaign_id, cursor, limit)
        )

      /** The numbers that stop files have. None while `stopMore` has read nothing, since it then finishes them itself. */
      const stopsOf = ({ campaign: { campaign_id }, scope }: OwnedCampaign, numbers: ReadonlyArray<PhoneNumber>) =>
        Effect.flatMap(
          contacts.stopCursor(campaign_id),
          (cursor) => cursor === null ? Effect.succeed(noNumbers) : roster.filterStopped(scope, campaign_id, numbers)
        )

      /** Enrols the next contacts without reading them. */
      const enrolInBulk = ({ campaign: { campaign_id }, scope }: OwnedCampaign, bulk: BulkEnrolment.Service) =>
        Effect.gen(function*() {
          const now = yield* BusinessTime.now
          yield* arrivals.run((limit) =>
            faults.after("enrol.kept")(transactions.runGuarded(bulk.enrol({ scope, campaign_id, limit, now })))
          )
          yield* yieldToEventLoop
          return true
        })

      const enrolMore = Effect.fn("Enrolment.enrolMore")(function*(ownedCampaign: OwnedCampaign) {
        const { bulk } = roster
        if (bulk !== undefined) {
          return (yield* next(ownedCampaign, 1)).length > 0 && (yield* enrolInBulk(ownedCampaign, bulk))
        }
        const entries = yield* next(ownedCampaign, batchSize)
        const last = entries.at(-1)
        if (last === undefined) return false
        const now = yield* BusinessTime.now
        const { campaign_id } = ownedCampaign.campaign
        const stops = yield* stopsOf(ownedCampaign, entries.map((entry) => entry.user_phone_number))
        const arriving = entries.map((entry) =>
          arrivingContact(campaign_id, entry, now, stops.has(entry.user_phone_number))
        )
        yield* faults.after("enrol.kept")(transactions.runGuarded(contacts.enrol(campaign_id, arriving, last.cursor)))
        yield* yieldToEventLoop
        return true
      })

      const stopMore = ({ campaign: { campaign_id }, scope }: OwnedCampaign) =>
        Effect.gen(function*() {
          const { bulk } = roster
          const after = yield* contacts.stopCursor(campaign_id)
          const listedEntries = yield* roster.stops(scope, campaign_id, after, bulk === undefined ? stopBatch : 1)
          const last = listedEntries.at(-1)
          if (last === undefined) return false
          const numbers = listedEntries.map((stop) => stop.user_phone_number)
          const decision = refuse("stopped", yield* BusinessTime.now)
          yield* bulk === undefined
            ? transactions.runGuarded(
              Effect.zipRight(
                queue.finish(campaign_id, numbers, decision),
                contacts.setStopCursor(campaign_id, last.cursor)
              )
            )
            : stops.run((limit) => transactions.runGuarded(bulk.stop({ scope, campaign_id, limit, decision })))
          yield* yieldToEventLoop
          return true
        })

      return Enrolment.of({
        enrolMore,
        stopMore,
        isComplete: (ownedCampaign) =>
          Effect.gen(function*() {
            const { processing, total } = yield* roster.cohorts(ownedCampaign.scope, ownedCampaign.campaign.campaign_id)
            return total > 0 && processing === 0 && (yield* next(ownedCampaign, 1)).length === 0
          })
      })
    })
  )
}
