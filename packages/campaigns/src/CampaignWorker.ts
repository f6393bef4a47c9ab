import { BusinessTime, type CampaignId, isOpen, nextOpening, Transactions } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Ref } from "effect"
import { Campaign, type CampaignStatus, dialWindow } from "./Campaign.js"
import { CampaignBell } from "./CampaignBell.js"
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

/** What a wait is about. */
interface Waiting {
  readonly freed: Effect.Effect<void>
  readonly warning: string | null
}

/** What a look at a campaign comes to. */
type Step =
  | { readonly _tag: "Over" }
  | { readonly _tag: "Again" }
  /** Nothing to do before `until` (epoch milliseconds), or before `freed` completes. */
  | { readonly _tag: "Wait"; readonly until: number } & Waiting

/** What a worker keeps in mind. */
interface Memory {
  readonly pace: Ref.Ref<Pace>
  /** Whether stop files may have more to read. */
  readonly unread: Ref.Ref<boolean>
}

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
      const bell = yield* CampaignBell
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

      const endOrWait = (owned: OwnedCampaign, until: number) =>
        Effect.map(
          endWhenExhausted ? endIfExhausted(owned) : Effect.succeed(false),
          (ended) => ended ? again : waitUntil(until)
        )

      const work = (owned: OwnedCampaign, now: number, end: number, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const { campaign } = owned
          const window = dialWindow(campaign.allowed_schedule)
          if (!isOpen(window, now)) return yield* endOrWait(owned, Math.min(nextOpening(window, now), end))
          const waiting = yield* dispatch.nextWaiting(campaign.campaign_id)
          if (Option.isNone(waiting) || waiting.value.due_at > now) {
            if (yield* enrolment.enrolMore(owned)) return again
            if (Option.isSome(waiting)) return waitUntil(Math.min(waiting.value.due_at, end))
            return yield* endOrWait(owned, end)
          }
          const { nextDialAt, tally } = yield* Ref.updateAndGet(pace, onLines(campaign.app_config.connection_configs))
          if (nextDialAt > now) return waitUntil(Math.min(nextDialAt, end))
          const dialled = yield* dialler.dial(owned, waiting.value, tally)
          if (dialled._tag === "NoLine") return waitUntil(end, { freed: dialled.freed })
          if (dialled._tag === "NoSuchLine") {
            const warning = `Campaign ${campaign.campaign_id} has no connection that is configured`
            return waitUntil(Math.min(now + NO_LINE_MILLIS, end), { warning })
          }
          if (dialled._tag === "Dialled") {
            yield* Ref.update(pace, afterDial(campaign.app_config.attempts_per_second, dialled))
          }
          return again
        })

      const proceed = (owned: OwnedCampaign, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const { campaign_id, end_timestamp, start_timestamp, status } = owned.campaign
          const now = yield* BusinessTime.now
          const end = end_timestamp.epochMillis
          const start = start_timestamp.epochMillis
          if (now >= end) return yield* Effect.as(setStatus(campaign_id, status, "ended"), again)
          if (status === "paused") return waitUntil(end)
          if (status === "active") return yield* work(owned, now, end, pace)
          return now < start ? waitUntil(start) : yield* Effect.as(setStatus(campaign_id, "scheduled", "active"), again)
        })

      /** Reads a little of the stop files, whatever state the campaign is in; false when there is no more to read. */
      const readStops = (owned: OwnedCampaign, unread: Ref.Ref<boolean>) =>
        Effect.gen(function*() {
          if (yield* bell.newCohorts(owned.campaign.campaign_id)) yield* Ref.set(unread, true)
          if (!(yield* Ref.get(unread))) return false
          const more = yield* enrolment.stopMore(owned)
          yield* Ref.set(unread, more)
          return more
        })

      const look = (id: CampaignId, { pace, unread }: Memory) =>
        Effect.gen(function*() {
          const owned = yield* store.findOwned(id)
          if (Option.isNone(owned) || isOver(owned.value.campaign.status)) return over
          const more = yield* readStops(owned.value, unread)
          const step = yield* proceed(owned.value, pace)
          return more && step._tag === "Wait" ? again : step
        })

      return CampaignWorker.of({
        run: Effect.fn("CampaignWorker.run")(function*(id, rung) {
          const memory = { pace: yield* Ref.make(startPace), unread: yield* Ref.make(true) }
          let step = yield* look(id, memory)
          while (step._tag !== "Over") {
            if (step._tag === "Wait") {
              if (step.warning !== null) yield* Effect.logWarning(step.warning)
              yield* Effect.raceFirst(rung, Effect.raceFirst(BusinessTime.sleepUntil(step.until), step.freed))
            }
            step = yield* look(id, memory)
          }
        })
      })
    })
  )
}

const waitUntil = (until: number, waiting: Partial<Waiting> = {}): Step => ({
  _tag: "Wait",
  until,
  freed: Effect.never,
  warning: null,
  ...waiting
})
