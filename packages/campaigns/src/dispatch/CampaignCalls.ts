import { BusinessTime, type CampaignId, FaultPoints, findOne, retryForever, Transactions } from "@trunkline/kernel"
import {
  type Attempt,
  Attempts,
  AttemptStore,
  type CallOutcome,
  CallRegistry,
  Calls,
  type PlaceOptions
} from "@trunkline/telephony"
import { Context, Effect, Layer, Option } from "effect"
import type { Campaign } from "../campaign/Campaign.js"
import { CampaignSignals } from "../campaign/CampaignSignals.js"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { Canaries } from "../campaign/Canaries.js"
import { RingingCalls } from "../campaign/RingingCalls.js"
import { refuse } from "../contacts/GateResult.js"
import { Gate } from "../gate/Gate.js"
import { DialLog } from "../store/DialLog.js"
import { DialQueue } from "../store/DialQueue.js"
import { makeConclusions } from "./Conclusions.js"

/** Carries out the attempts of campaigns and schedules their retries. */
export class CampaignCalls extends Context.Tag("@trunkline/campaigns/CampaignCalls")<CampaignCalls, {
  /**
   * Dials a claimed attempt, holds the conversation and ends the attempt. Withdraws it when it is too late to dial:
   * `deadline` is the end of the window, epoch milliseconds of business time. `turn` completes when its request may leave.
   */
  readonly carryOut: (attempt: Attempt, deadline: number, turn: Effect.Effect<void>) => Effect.Effect<void>
  /**
   * Ends an attempt: stores its result, the contact's next attempt and the work of the attempt listener in one
   * transaction. A contact that a stop file or the do-not-call list now excludes gets no retry. Does nothing when the
   * attempt has already ended.
   */
  readonly end: (attempt: Attempt, outcome: CallOutcome) => Effect.Effect<void>
  /** Succeeds with true when the gate allows to dial an attempt that was claimed earlier: the campaign, stop files, blocked numbers. */
  readonly mayDial: (attempt: Attempt) => Effect.Effect<boolean>
  /** Withdraws a claimed attempt that was certainly not dialled: the contact waits again, unless a stop file has its number. */
  readonly withdraw: (attempt: Attempt) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    CampaignCalls,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const queue = yield* DialQueue
      const log = yield* DialLog
      const store = yield* AttemptStore
      const attempts = yield* Attempts
      const calls = yield* Calls
      const registry = yield* CallRegistry
      const signals = yield* CampaignSignals
      const gate = yield* Gate
      const ringing = yield* RingingCalls
      const canaries = yield* Canaries
      const transactions = yield* Transactions
      const faults = yield* FaultPoints
      const afterFinish = faults.after("finish.kept")

      const { conclude } = yield* makeConclusions

      const end = (attempt: Attempt, outcome: CallOutcome) =>
        Effect.suspend(() => {
          const { attempt_id, campaign_id } = attempt
          if (campaign_id === null) return Effect.void
          return Effect.zipRight(
            afterFinish(attempts.end({ attempt_id, outcome, conclude })),
            Effect.zipRight(
              attempt.canary === undefined ? Effect.void : canaries.judge(campaign_id),
              signals.callEnded(campaign_id)
            )
          )
        })

      const withdrawOnce = (attempt: Attempt, campaign_id: CampaignId) =>
        Effect.gen(function*() {
          const { attempt_id, attempted_at, user_phone_number } = attempt
          if (!(yield* store.withdraw(attempt_id))) return
          const at = yield* BusinessTime.now
          yield* queue.release({ attempt_id, campaign_id, user_phone_number, at })
          yield* log.addDials(campaign_id, attempted_at, -1)
          yield* log.removeDial(attempt, attempted_at, user_phone_number)
          const ownedCampaign = yield* findOne(campaigns.findOwnedMany, campaign_id)
          if (
            Option.isNone(ownedCampaign) ||
            (yield* gate.exclusion(ownedCampaign.value, user_phone_number)) !== "stopped"
          ) return
          yield* queue.finish(campaign_id, [user_phone_number], refuse("stopped", at))
        })

      const withdraw = (attempt: Attempt) =>
        Effect.suspend(() => {
          const { campaign_id } = attempt
          if (campaign_id === null) return Effect.void
          return transactions.runGuarded(withdrawOnce(attempt, campaign_id)).pipe(
            retryUntilStored,
            faults.after("withdraw.kept"),
            Effect.zipRight(signals.notify(campaign_id))
          )
        })

      const mayDial = (attempt: Attempt) =>
        Effect.gen(function*() {
          const { campaign_id, user_phone_number } = attempt
          const owner = campaign_id === null ? Option.none() : yield* findOne(campaigns.findOwnedMany, campaign_id)
          if (Option.isNone(owner) || isOfStoppedCanary(attempt, owner.value.campaign)) return false
          const isAgentCommitted = yield* gate.isAgentCommitted(owner.value)
          const facts = yield* gate.budget(owner.value)
          // The attempt itself is one of the running calls.
          const budget = facts && { ...facts, running: Math.max(0, facts.running - 1) }
          const decision = gate.now(owner.value, { now: yield* BusinessTime.now, isAgentCommitted, budget })
          return decision.verdict === "allow" && (yield* gate.exclusion(owner.value, user_phone_number)) === null
        })

      const optionsOf = (attempt: Attempt, deadline: number, turn: Effect.Effect<void>): PlaceOptions => ({
        deadline,
        turn,
        mayDial: mayDial(attempt),
        ...(attempt.campaign_id !== null && {
          onCallOff: ringing.onCallOff(attempt.campaign_id, attempt.attempted_at)
        })
      })

      return CampaignCalls.of({
        mayDial,
        carryOut: (attempt, deadline, turn) =>
          registry.track(attempt)(
            Effect.flatMap(calls.place(attempt, optionsOf(attempt, deadline, turn)), (placement) => {
              switch (placement._tag) {
                case "Withdrawn":
                  return withdraw(attempt)
                case "Disowned":
                  return Effect.void
                default:
                  return end(attempt, placement)
              }
            })
          ),
        end,
        withdraw
      })
    })
  )
}

/** Returns true for an attempt with a version that its campaign has stopped to try: the contact is then claimed anew. */
const isOfStoppedCanary = ({ canary }: Attempt, { canary: newest }: Campaign): boolean =>
  canary?.arm === "canary" && (canary.number !== newest?.number || newest.status === "stopped")

/** Retries while the store fails (a full disk, a locked file, a database that is away). */
const retryUntilStored = retryForever({
  message: "Could not withdraw an attempt that was not dialled",
  initialDelay: "250 millis",
  maxDelay: "5 seconds"
})
