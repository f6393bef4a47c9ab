import { BusinessTime, type CampaignId, isOpen, nextOpening, Transactions, trusted } from "@trunkline/kernel"
import { Context, Effect, Layer, Option, Ref } from "effect"
import { Campaign, type CampaignStatus, dialWindow } from "../campaign/Campaign.js"
import { CampaignBell } from "../campaign/CampaignBell.js"
import { isOver } from "../campaign/CampaignStates.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Why } from "../dispatch/Claiming.js"
import { Dialler } from "../dispatch/Dialler.js"
import { DispatchStore } from "../dispatch/DispatchStore.js"
import { asOf, nextDialAt, type Pace, startPace } from "../dispatch/Pace.js"
import { Enrolment } from "../enrolment/Enrolment.js"
import { Holds, type Standing } from "../gate/Holds.js"

/** Whether a campaign ends by itself once everyone has been dealt with; default true (shapes 3.7). */
export class EndWhenExhausted extends Context.Reference<EndWhenExhausted>()("@trunkline/campaigns/EndWhenExhausted", {
  defaultValue: () => true
}) {}

/** What a wait is about. */
interface Waiting {
  /** Null where no line is waited for. */
  readonly freed: Effect.Effect<void> | null
  readonly warning: string | null
}

/** What a look at a campaign comes to. */
type Step =
  | { readonly _tag: "Over" }
  | { readonly _tag: "Again" }
  /** The campaign dials, and may do so again at `until` by its rate. */
  | { readonly _tag: "Rest"; readonly until: number; readonly owned: OwnedCampaign }
  /** Nothing to do before `until` (epoch milliseconds), or before `freed` completes. */
  | { readonly _tag: "Wait"; readonly until: number } & Waiting

/** What a worker keeps in mind. */
interface Memory {
  readonly pace: Ref.Ref<Pace>
  /** Whether stop files may have more to read. */
  readonly unread: Ref.Ref<boolean>
}

/** How long a campaign waits before it looks again for what is not configured any more: a connection, the agent's version. */
const NOT_THERE_MILLIS = 60_000

/** A rest as short as this is not broken off. */
const SHORT_MILLIS = 250

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
      const holds = yield* Holds
      const transactions = yield* Transactions
      const endWhenExhausted = yield* EndWhenExhausted

      const setStatus = (id: CampaignId, from: CampaignStatus, to: CampaignStatus) =>
        transactions.run(Effect.gen(function*() {
          const owned = yield* store.findOwned(id)
          if (Option.isNone(owned) || owned.value.campaign.status !== from) return
          const { campaign, scope } = owned.value
          yield* store.put(
            scope,
            new Campaign({ ...campaign, status: to, updated_at: yield* BusinessTime.date }, trusted)
          )
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

      /** Nobody is due: takes more people from the roster, or waits for the next who is. */
      const moreOrWait = (owned: OwnedCampaign, due: number | null, end: number) =>
        Effect.gen(function*() {
          if (yield* enrolment.enrolMore(owned)) return again
          return due === null ? yield* endOrWait(owned, end) : waitUntil(Math.min(due, end))
        })

      /** What to do about what keeps a campaign from dialling on. */
      const answer = (owned: OwnedCampaign, why: Why, now: number, end: number): Effect.Effect<Step> => {
        const soon = Math.min(now + NOT_THERE_MILLIS, end)
        const { campaign_id } = owned.campaign
        switch (why._tag) {
          case "Nothing":
          case "Nobody":
            return Effect.succeed(again)
          case "Rate":
            return Effect.succeed(restUntil(owned, why.at))
          case "Held":
            return Effect.succeed(
              why.decision.reason === "agent_version"
                ? waitUntil(soon, { warning: `Campaign ${campaign_id} has an agent version that is not committed` })
                : again
            )
          case "NoLine":
            return Effect.succeed(
              why.line.fact._tag === "Missing"
                ? waitUntil(soon, { warning: `Campaign ${campaign_id} has no connection that is configured` })
                : waitUntil(Math.min(why.line.until, end), { freed: why.line.freed })
            )
        }
      }

      /** Dials whoever can be dialled now, and says what to do next. */
      const dial = (owned: OwnedCampaign, now: number, end: number, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const { campaign } = owned
          const step = yield* dialler.dial(owned, asOf(yield* Ref.get(pace), now))
          yield* Ref.set(pace, step.pace)
          yield* holds.set(campaign.campaign_id, standingOf(step.pace, campaign, step.why))
          return step.placed > 0
            ? restUntil(owned, nextDialAt(step.pace, campaign.app_config.attempts_per_second))
            : yield* answer(owned, step.why, now, end)
        })

      const work = (owned: OwnedCampaign, now: number, end: number, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const { campaign } = owned
          const window = dialWindow(campaign.allowed_schedule)
          if (!isOpen(window, now)) return yield* endOrWait(owned, Math.min(nextOpening(window, now), end))
          const next = nextDialAt(asOf(yield* Ref.get(pace), now), campaign.app_config.attempts_per_second)
          if (next > now) return restUntil(owned, next)
          const due = yield* dispatch.nextDue(campaign.campaign_id)
          if (due === null || due > now) return yield* moreOrWait(owned, due, end)
          return yield* dial(owned, now, end, pace)
        })

      const proceed = (owned: OwnedCampaign, pace: Ref.Ref<Pace>) =>
        Effect.gen(function*() {
          const { campaign_id, end_timestamp, start_timestamp, status } = owned.campaign
          const now = yield* BusinessTime.now
          const end = end_timestamp.epochMillis
          const start = start_timestamp.epochMillis
          if (now >= end) return yield* Effect.as(setStatus(campaign_id, status, "ended"), again)
          if (status === "paused") return waitUntil(end)
          if (now < start) return waitUntil(start)
          return status === "active"
            ? yield* work(owned, now, end, pace)
            : yield* Effect.as(setStatus(campaign_id, "scheduled", "active"), again)
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
          return more && (step._tag === "Wait" || step._tag === "Rest") ? again : step
        })

      const wait = (step: Extract<Step, { readonly _tag: "Wait" }>, rung: Effect.Effect<void>) =>
        Effect.gen(function*() {
          if (step.warning !== null) yield* Effect.logWarning(step.warning)
          const slept = BusinessTime.sleepUntil(step.until)
          yield* Effect.raceFirst(rung, step.freed === null ? slept : Effect.raceFirst(slept, step.freed))
        })

      /**
       * Rests until the next dial and makes it, without another look at the campaign: each claim reads it anew, so what has
       * changed holds all the same. A long rest hears the bell, a short one is not broken off.
       */
      const onBeat = (
        { owned, until }: Extract<Step, { readonly _tag: "Rest" }>,
        { pace, unread }: Memory,
        rung: Effect.Effect<void>
      ) =>
        Effect.gen(function*() {
          const { campaign_id, end_timestamp } = owned.campaign
          const end = end_timestamp.epochMillis
          const slept = Effect.as(BusinessTime.sleepUntil(Math.min(until, end)), false)
          yield* bell.attend(campaign_id, false)
          const isShort = until - (yield* BusinessTime.now) <= SHORT_MILLIS
          if (yield* isShort ? slept : Effect.raceFirst(slept, Effect.as(rung, true))) return again
          if (yield* bell.newCohorts(campaign_id)) yield* Ref.set(unread, true)
          return (yield* Ref.get(unread)) ? again : yield* dial(owned, yield* BusinessTime.now, end, pace)
        })

      const run = (id: CampaignId, rung: Effect.Effect<void>) =>
        Effect.gen(function*() {
          const pace = yield* Ref.make(startPace(yield* dispatch.lastDial(id)))
          const memory = { pace, unread: yield* Ref.make(true) }
          for (;;) {
            yield* bell.attend(id, true)
            let step = yield* look(id, memory)
            while (step._tag === "Rest") step = yield* onBeat(step, memory, rung)
            if (step._tag === "Over") return
            if (step._tag === "Wait") yield* wait(step, rung)
          }
        })

      return CampaignWorker.of({
        run: (id, rung) => Effect.ensuring(run(id, rung), Effect.zipRight(holds.forget(id), bell.attend(id, false)))
      })
    })
  )
}

const standingOf = (pace: Pace, campaign: Campaign, why: Why): Standing => ({
  line: why._tag === "NoLine" ? why.line.fact : { _tag: "Free" },
  nextDialAt: nextDialAt(pace, campaign.app_config.attempts_per_second)
})

const restUntil = (owned: OwnedCampaign, until: number): Step => ({ _tag: "Rest", until, owned })

const waitUntil = (until: number, waiting: Partial<Waiting> = {}): Step => ({
  _tag: "Wait",
  until,
  freed: null,
  warning: null,
  ...waiting
})
