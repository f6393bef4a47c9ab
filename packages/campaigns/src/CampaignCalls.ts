import { BusinessTime, type CampaignId, nextOpening, type PhoneNumber } from "@trunkline/kernel"
import { type Attempt, Attempts, type CallOutcome, Calls } from "@trunkline/telephony"
import { Context, Effect, Layer, Option } from "effect"
import { dialWindow } from "./Campaign.js"
import { CampaignBell } from "./CampaignBell.js"
import { isOver } from "./CampaignStates.js"
import { CampaignStore } from "./CampaignStore.js"
import { DispatchStore } from "./DispatchStore.js"
import { nextAction } from "./NextAction.js"
import { stopGate } from "./StopGate.js"

/** Carries campaign attempts to their end and decides what comes after. */
export class CampaignCalls extends Context.Tag("@trunkline/campaigns/CampaignCalls")<CampaignCalls, {
  /** Dials a claimed attempt, holds the conversation and ends it. */
  readonly carryOut: (attempt: Attempt) => Effect.Effect<void>
  /**
   * Ends an attempt: its result, what happens next for the person, and whatever listens to ended attempts are kept in
   * one transaction. Whom a stop file has meanwhile is not called again. Harmless when it has ended already.
   */
  readonly end: (attempt: Attempt, outcome: CallOutcome) => Effect.Effect<void>
}>() {
  static readonly layer = Layer.effect(
    CampaignCalls,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const dispatch = yield* DispatchStore
      const attempts = yield* Attempts
      const calls = yield* Calls
      const bell = yield* CampaignBell
      const stopIfListed = yield* stopGate

      const decide = (campaign_id: CampaignId, number: PhoneNumber, outcome: CallOutcome) =>
        Effect.gen(function*() {
          const owned = yield* campaigns.findOwned(campaign_id)
          const contact = yield* dispatch.find(campaign_id, number)
          if (Option.isNone(owned) || Option.isNone(contact) || isOver(owned.value.campaign.status)) return null
          const { campaign } = owned.value
          const action = nextAction({
            outcome,
            policy: campaign.app_config.retry_config,
            counters: contact.value.counters,
            now: yield* BusinessTime.now
          })
          if (action === null) return null
          const due_at = nextOpening(dialWindow(campaign.allowed_schedule), action.due)
          return due_at < campaign.end_timestamp.epochMillis ? { ...action, due_at } : null
        })

      const end = Effect.fn("CampaignCalls.end")(function*(attempt: Attempt, outcome: CallOutcome) {
        const { attempt_id, campaign_id, user_phone_number } = attempt
        if (campaign_id === null) return
        yield* attempts.end({
          attempt_id,
          outcome,
          conclude: Effect.gen(function*() {
            const next = yield* decide(campaign_id, user_phone_number, outcome)
            yield* dispatch.settle({ attempt_id, campaign_id, user_phone_number, next })
            if (next === null || (yield* stopIfListed(attempt, { campaign_id, user_phone_number }))) return null
            return next.status
          })
        })
        yield* bell.ring(campaign_id)
      })

      return CampaignCalls.of({
        carryOut: (attempt) => Effect.flatMap(calls.place(attempt), (outcome) => end(attempt, outcome)),
        end
      })
    })
  )
}
