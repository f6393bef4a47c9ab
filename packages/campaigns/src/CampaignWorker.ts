import { BusinessTime, type CampaignId, isOpen, nextOpening, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Ref } from "effect"
import { Campaign, type CampaignStatus, dialWindow } from "./Campaign.js"
import { isOver } from "./CampaignStates.js"
import { CampaignStore, type OwnedCampaign } from "./CampaignStore.js"
import { Dialler } from "./Dialler.js"
import { DispatchStore } from "./DispatchStore.js"
import { Enrolment } from "./Enrolment.js"
import { afterDial, onLines, type Pace, startPace } from "./Pace.js"

/** Whether a campaign ends by itself once everyone has been dealt with; default true (shapes 3.7). */
export class EndWhenExhausted extends Context.Reference<EndWhenExhausted>()("@trunkline/campaigns/EndWhenExhausted", {
  defaultValue: () => true
}) {}

/** What a look at a campaign comes to. */
type Step =
  | { readonly _tag: "Over" }
  | { readonly _tag: "Again" }
  /** Nothing to do before `until` (epoch milliseconds), or before `freed` completes. */
  | { readonly _tag: "Wait"; readonly until: number; readonly freed: Effect.Effect<void> }

/** How long a campaign waits before it looks again for a connection that is not configured any more. */
const NO_LINE_MILLIS = 60_000

const over: Step = { _tag: "Over" }
const again: Step = { _tag: "Again" }

/** Brings one campaign from its start to its end: a loop of looking and doing the one next thing. */
export class CampaignWorker extends Context.Tag("@trunkline/campaigns/CampaignWorker")<CampaignWorker, {
  /** Runs until the campaign is over; `rung` completes when something about it has changed. */
  readonly run: (campaign: CampaignId, rung: Effect.Effect<void>) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    CampaignWorker,
    Effect.gen(function*() {
      const store = yield* CampaignStore
      const dispatch = yield* DispatchStore
      const enrolment = yield* Enrolment
      const dialler = yield* Dialler
      const transactions = yield* Transactions
      const endWhenExhausted = yield* EndWhenExhausted

      const setStatus = (id: CampaignId, from: CampaignStatus, to: CampaignStatus) =>
        transactions.run(Effect.gen(function*() {
          const owned = yield* store.findOwned(id)
          if (Option.isNone(owned) || owned.value.campaign.status !== from) return
          const { campaign, scope } = owned.value
          yield* store.put(scope, new Campaign({ ...campaign, status: to, updated_at: yield* BusinessTime.date }))
        }))

      /** Ends the campaign if everyone has been dealt with: looked at and decided in one transaction. */
      const endIfExhausted = (owned: OwnedCampaign) =>
        transactions.run(Effect.gen(function*() {
          const { campaign_id } = owned.campaign
          const counts = yield* dispatch.counts(campaign_id)
          const exhausted = counts.waiting + counts.calling === 0 && (yield* enrolment.isComplete(owned))
          if (exhausted) yield* setStatus(campaign_id, "active", "ended")
          return exhausted
        }))

      const work = (owned: OwnedCampaign, now: number, end: number, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const { campaign } = owned
          const window = dialWindow(campaign.allowed_schedule)
          if (!isOpen(window, now)) return waitUntil(Math.min(nextOpening(window, now), end))
          const waiting = yield* dispatch.nextWaiting(campaign.campaign_id)
          if (Option.isNone(waiting) || waiting.value.due_at > now) {
            if (yield* enrolment.enrolMore(owned)) return again
            if (Option.isSome(waiting)) return waitUntil(Math.min(waiting.value.due_at, end))
            return endWhenExhausted && (yield* endIfExhausted(owned)) ? again : waitUntil(end)
          }
          const { nextDialAt, tally } = yield* Ref.updateAndGet(pace, onLines(campaign.app_config.connection_configs))
          if (nextDialAt > now) return waitUntil(Math.min(nextDialAt, end))
          const dialled = yield* dialler.dial(owned, waiting.value, tally)
          if (dialled._tag === "NoLine") return waitUntil(end, dialled.freed)
          if (dialled._tag === "NoSuchLine") {
            yield* Effect.logWarning(`Campaign ${campaign.campaign_id} has no connection that is configured`)
            return waitUntil(Math.min(now + NO_LINE_MILLIS, end))
          }
          if (dialled._tag === "Dialled") {
            yield* Ref.update(pace, afterDial(campaign.app_config.attempts_per_second, dialled))
          }
          return again
        })

      const look = (id: CampaignId, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const owned = yield* store.findOwned(id)
          if (Option.isNone(owned) || isOver(owned.value.campaign.status)) return over
          const { campaign } = owned.value
          const now = yield* BusinessTime.now
          const end = campaign.end_timestamp.epochMillis
          const start = campaign.start_timestamp.epochMillis
          if (now >= end) return yield* Effect.as(setStatus(id, campaign.status, "ended"), again)
          if (campaign.status === "paused") return waitUntil(end)
          if (campaign.status === "active") return yield* work(owned.value, now, end, pace)
          return now < start ? waitUntil(start) : yield* Effect.as(setStatus(id, "scheduled", "active"), again)
        })

      return CampaignWorker.of({
        run: Effect.fn("CampaignWorker.run")(function*(id, rung) {
          const pace = yield* Ref.make(startPace)
          let step = yield* look(id, pace)
          while (step._tag !== "Over") {
            if (step._tag === "Wait") {
              yield* Effect.raceFirst(rung, Effect.raceFirst(BusinessTime.sleepUntil(step.until), step.freed))
            }
            step = yield* look(id, pace)
          }
        })
      })
    })
  )
}

const waitUntil = (until: number, freed: Effect.Effect<void> = Effect.never): Step => ({ _tag: "Wait", until, freed })
