import { Bus, BusinessTime, type CampaignId, findOne, Transactions, unchecked } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { Campaign, type CampaignStatus, isFinalStatus } from "../campaign/Campaign.js"
import { budgetSentence, callsWithin } from "../campaign/CampaignBudget.js"
import { CampaignSignals } from "../campaign/CampaignSignals.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import { Canaries } from "../campaign/Canaries.js"
import { makeCanaryEnds } from "../campaign/CanaryEnds.js"
import { Dialler } from "../dispatch/Dialler.js"
import { initialPace, nextDialAt, type Pace, paceAt } from "../dispatch/Pace.js"
import { Enrolment } from "../enrolment/Enrolment.js"
import { CampaignDialLimits } from "../gate/Blocker.js"
import { Gate } from "../gate/Gate.js"
import { ContactStore } from "../store/ContactStore.js"
import { DialLog } from "../store/DialLog.js"
import { DialQueue } from "../store/DialQueue.js"
import { type CampaignTurn, CampaignTurns, turnTopic } from "./CampaignTurns.js"
import { type CampaignFacts, type CampaignStep, nextStep } from "./NextStep.js"

/** True, the default, when campaigns end by themselves once all their contacts are finished. */
export class EndWhenExhausted extends Context.Reference<EndWhenExhausted>()("@trunkline/campaigns/EndWhenExhausted", {
  defaultValue: () => true
}) {}

/** Signals do not interrupt rests of at most this length. */
export const shortRestMillis = 250

/** Runs one campaign from its start to its end: asks `nextStep` for the next step, carries it out, and repeats. */
export class CampaignWorker extends Context.Tag("@trunkline/campaigns/CampaignWorker")<CampaignWorker, {
  /**
   * Runs until the campaign is over, or its turn has been handed to another process. `signal` completes when something
   * about the campaign has changed.
   */
  readonly run: (turn: CampaignTurn, signal: Effect.Effect<void>) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    CampaignWorker,
    Effect.gen(function*() {
      const store = yield* CampaignStore
      const contacts = yield* ContactStore
      const queue = yield* DialQueue
      const log = yield* DialLog
      const enrolment = yield* Enrolment
      const dialler = yield* Dialler
      const signals = yield* CampaignSignals
      const dialLimits = yield* CampaignDialLimits
      const transactions = yield* Transactions
      const endWhenExhausted = yield* EndWhenExhausted
      const turns = yield* CampaignTurns
      const gate = yield* Gate
      const bus = yield* Bus
      const canaries = yield* Canaries
      const canaryEnds = yield* makeCanaryEnds

      /** Changes the status in the running transaction; returns the canary that ended with the campaign, or null. */
      const setStatusOnce = (id: CampaignId, from: CampaignStatus, to: CampaignStatus) =>
        Effect.gen(function*() {
          const ownedCampaign = yield* findOne(store.findOwnedMany, id)
          if (Option.isNone(ownedCampaign) || ownedCampaign.value.campaign.status !== from) return null
          const { scope } = ownedCampaign.value
          const updated_at = yield* BusinessTime.date
          const campaign = new Campaign({ ...ownedCampaign.value.campaign, status: to, updated_at }, unchecked)
          const endedCanary = isFinalStatus(to) ? yield* canaryEnds.endWithCampaign({ scope, campaign }, null) : null
          yield* store.put(scope, endedCanary?.campaign ?? campaign)
          return endedCanary
        })

      const setStatus = (id: CampaignId, from: CampaignStatus, to: CampaignStatus) =>
        Effect.uninterruptible(
          Effect.flatMap(
            transactions.run(setStatusOnce(id, from, to)),
            (endedCanary) => endedCanary === null ? Effect.void : canaryEnds.announce(endedCanary)
          )
        )

      /** Ends the campaign if all its contacts are finished; checks and ends it in one transaction. */
      const endIfExhausted = (ownedCampaign: OwnedCampaign) =>
        Effect.uninterruptible(Effect.gen(function*() {
          const { campaign_id } = ownedCampaign.campaign
          const { ended, exhausted } = yield* transactions.run(Effect.gen(function*() {
            const counts = yield* contacts.counts(campaign_id)
            const isExhausted = counts.waiting + counts.calling === 0 && (yield* enrolment.isComplete(ownedCampaign))
            return {
              exhausted: isExhausted,
              ended: isExhausted ? yield* setStatusOnce(campaign_id, "active", "ended") : null
            }
          }))
          if (ended !== null) yield* canaryEnds.announce(ended)
          return exhausted
        }))

      /** Pauses a campaign whose budget allows no further call once none runs; true if it did, or if one is allowed again. */
      const pauseForBudget = ({ campaign: { campaign_id } }: OwnedCampaign) =>
        transactions.run(Effect.gen(function*() {
          const ownedCampaign = Option.getOrNull(yield* findOne(store.findOwnedMany, campaign_id))
          const budget = ownedCampaign && (yield* gate.budget(ownedCampaign))
          if (budget === null || callsWithin(budget) > 0) return true
          if (budget.running > 0) return false
          yield* setStatusOnce(campaign_id, "active", "paused")
          yield* Effect.logInfo(`Campaign ${campaign_id} is paused: ${budgetSentence(budget)}`)
          return true
        }))

      const look = (id: CampaignId, pace: Pace, hasUnreadStops: boolean) =>
        Effect.gen(function*() {
          yield* signals.setCallEndSignals(id, true)
          const hasNewStops = yield* signals.takeNewCohorts(id)
          // Another process may have counted the last call and died before it judged the canary.
          if (hasUnreadStops || hasNewStops) yield* canaries.judge(id)
          const ownedCampaign = Option.getOrNull(yield* findOne(store.findOwnedMany, id))
          const facts: CampaignFacts = {
            now: yield* BusinessTime.now,
            ownedCampaign,
            pace,
            endWhenExhausted,
            stopFiles: hasUnreadStops || hasNewStops ? "unread" : "read"
          }
          return facts
        })

      const dial = (facts: CampaignFacts, ownedCampaign: OwnedCampaign) =>
        Effect.gen(function*() {
          const { campaign } = ownedCampaign
          const { blocker, pace, placedCalls } = yield* dialler.dial(ownedCampaign, paceAt(facts.pace, facts.now))
          yield* dialLimits.set(campaign.campaign_id, {
            line: blocker?._tag === "Line" ? blocker.status : { _tag: "Free" },
            nextDialAt: nextDialAt(pace, campaign.app_config.attempts_per_second)
          })
          return { ...facts, isAfterRest: false, pace, lastRound: { blocker, placedCalls } }
        })

      /**
       * Sleeps until the next dial, which is then made without another look: each claim reads the campaign anew, so that
       * all changes are respected. Signals and new stop files cause a look instead.
       */
      const rest = (facts: CampaignFacts, { campaign }: OwnedCampaign, until: number, signal: Effect.Effect<void>) =>
        Effect.gen(function*() {
          const { campaign_id, end_timestamp } = campaign
          const sleep = Effect.as(BusinessTime.sleepUntil(Math.min(until, end_timestamp.epochMillis)), false)
          yield* signals.setCallEndSignals(campaign_id, false)
          const isShort = until - (yield* BusinessTime.now) <= shortRestMillis
          const hasSignal = yield* isShort ? sleep : Effect.raceFirst(sleep, Effect.as(signal, true))
          if (hasSignal) return yield* look(campaign_id, facts.pace, false)
          if (yield* signals.takeNewCohorts(campaign_id)) return yield* look(campaign_id, facts.pace, true)
          return { ...facts, now: yield* BusinessTime.now, isAfterRest: true }
        })

      const wait = (
        { lineVacancy, until, warning }: Omit<Extract<CampaignStep, { readonly _tag: "Wait" }>, "_tag">,
        signal: Effect.Effect<void>
      ) =>
        Effect.gen(function*() {
          if (warning !== null) yield* Effect.logWarning(warning)
          const sleep = BusinessTime.sleepUntil(until)
          yield* Effect.raceFirst(signal, lineVacancy === null ? sleep : Effect.raceFirst(sleep, lineVacancy))
        })

      /** Carries out a step; returns what is known afterwards. */
      const perform = (
        step: Exclude<CampaignStep, { readonly _tag: "Stop" }>,
        facts: CampaignFacts,
        ownedCampaign: OwnedCampaign,
        signal: Effect.Effect<void>
      ): Effect.Effect<CampaignFacts> => {
        const { campaign_id } = ownedCampaign.campaign
        const lookAgain = Effect.suspend(() => look(campaign_id, facts.pace, facts.stopFiles !== "read"))
        switch (step._tag) {
          case "Look":
            return lookAgain
          case "ReadStopFiles":
            return Effect.zipWith(
              enrolment.stopMore(ownedCampaign),
              BusinessTime.now,
              (more, now) => ({ ...facts, now, stopFiles: more ? "more" : "read" })
            )
          case "SetStatus":
            return Effect.zipRight(setStatus(campaign_id, step.from, step.to), lookAgain)
          case "ReadNextDue":
            return Effect.map(queue.nextDue(campaign_id), (nextDue) => ({ ...facts, nextDue }))
          case "Enrol":
            return Effect.flatMap(
              enrolment.enrolMore(ownedCampaign),
              (didEnrol) => didEnrol ? lookAgain : Effect.succeed({ ...facts, isRosterEmpty: true })
            )
          case "EndIfExhausted":
            return Effect.flatMap(
              endIfExhausted(ownedCampaign),
              (isEnded) => isEnded ? lookAgain : Effect.succeed({ ...facts, hasContactsLeft: true })
            )
          case "Dial":
            return dial(facts, ownedCampaign)
          case "PauseForBudget":
            return signals.setCallEndSignals(campaign_id, true).pipe(
              Effect.zipRight(pauseForBudget(ownedCampaign)),
              Effect.flatMap((isDone) =>
                isDone ? Effect.void : wait({ until: step.until, lineVacancy: null, warning: null }, signal)
              ),
              Effect.zipRight(lookAgain)
            )
          case "Rest":
            return rest(facts, ownedCampaign, step.until, signal)
          case "Wait":
            return Effect.zipRight(wait(step, signal), lookAgain)
        }
      }

      const run = (id: CampaignId, pace: Pace | null, signal: Effect.Effect<void>) =>
        Effect.gen(function*() {
          let facts = yield* look(id, pace ?? initialPace(yield* log.lastDial(id)), true)
          for (;;) {
            const step = nextStep(facts)
            if (step._tag === "Stop" || facts.ownedCampaign === null) {
              if (turns !== null) yield* turns.end(id)
              return
            }
            if (turns !== null && (yield* turns.handOver({ campaign_id: id, pace: facts.pace }))) {
              return yield* bus.publish(turnTopic)
            }
            facts = yield* perform(step, facts, facts.ownedCampaign, signal)
          }
        })

      return CampaignWorker.of({
        run: ({ campaign_id: id, pace: handed }, signal) => {
          // A worker that starts again after a failure cannot go on from where it began.
          let pace = handed
          const work = Effect.suspend(() => {
            const from = pace
            pace = null
            return run(id, from, signal)
          })
          return Effect.ensuring(work, Effect.zipRight(dialLimits.forget(id), signals.setCallEndSignals(id, false)))
        }
      })
    })
  )
}
