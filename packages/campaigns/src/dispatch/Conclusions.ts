import { BusinessTime, type NextActionStatus, type PhoneNumber } from "@trunkline/kernel"
import { type EndingAttempt, summarizeOutcome } from "@trunkline/telephony"
import { Effect } from "effect"
import { type CampaignCallCost, CampaignSpending } from "../campaign/CampaignSpending.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { RetryCounters } from "../campaign/RetryPolicy.js"
import { CanaryCounts, type MeasuredCall } from "../canary/CanaryCounts.js"
import { attemptOutcomeOf } from "../contacts/AttemptOutcome.js"
import type { Settlement } from "../contacts/ContactTransitions.js"
import { Gate } from "../gate/Gate.js"
import { concludeAttempt, concludeExcluded, type Conclusion } from "../retry/Conclusion.js"
import { DialQueue } from "../store/DialQueue.js"
import { measure, withMeasured } from "./Measurements.js"

/**
 * Concludes attempts that end together: reads their campaigns and their retries at once, decides in order, and settles all
 * contacts in one step. Joins the running transaction. A contact that a list now excludes gets no next attempt.
 */
export const makeConclusions = Effect.gen(function*() {
  const campaigns = yield* CampaignStore
  const queue = yield* DialQueue
  const gate = yield* Gate
  const spending = yield* CampaignSpending
  const canaryCounts = yield* CanaryCounts

  const withoutExcluded = (ownedCampaign: OwnedCampaign, batch: ReadonlyArray<Concluded>, now: number) =>
    Effect.map(
      gate.exclusions(ownedCampaign, numbersCalledAgain(batch)),
      (exclusions) =>
        batch.map((one): Concluded => {
          const exclusion = exclusions.get(one.attempt.user_phone_number)
          const isCalledAgain = one.conclusion.next !== null
          return exclusion !== undefined && isCalledAgain
            ? { ...one, conclusion: concludeExcluded(exclusion, now) }
            : one
        })
    )

  const conclude = (
    ending: ReadonlyArray<EndingAttempt>
  ): Effect.Effect<ReadonlyArray<NextActionStatus | null>> =>
    Effect.gen(function*() {
      const conclusions = new Map<EndingAttempt["attempt"], Conclusion>()
      const campaignEnds = ending.flatMap((one) => {
        const { campaign_id, user_phone_number } = one.attempt
        return campaign_id === null ? [] : { one, campaign_id, user_phone_number }
      })
      const owners = yield* campaigns.findOwnedMany([...new Set(campaignEnds.map(({ campaign_id }) => campaign_id))])
      const counters = yield* queue.retriesOf(campaignEnds)
      const now = yield* BusinessTime.now
      const groups = new Map<OwnedCampaign, Array<Concluded>>()
      for (const [index, { campaign_id, one: { attempt, outcome } }] of campaignEnds.entries()) {
        const [ownedCampaign, knownCounters] = [owners.get(campaign_id), counters[index] ?? null]
        if (ownedCampaign === undefined || knownCounters === null) continue
        const conclusion = concludeAttempt({ outcome, campaign: ownedCampaign.campaign, counters: knownCounters, now })
        const one = { attempt, outcome, counters: knownCounters, conclusion }
        const group = groups.get(ownedCampaign)
        if (group === undefined) groups.set(ownedCampaign, [one])
        else group.push(one)
      }
      const measuredCalls: Array<MeasuredCall> = []
      for (const [owned, some] of groups) {
        for (const one of yield* withoutExcluded(owned, some, now)) {
          const call = measure({ ownedCampaign: owned, ...one })
          if (call !== null) measuredCalls.push(call)
          conclusions.set(one.attempt, call === null ? one.conclusion : withMeasured(one.conclusion))
        }
      }
      yield* queue.settleMany(ending.flatMap((one) => {
        const conclusion = conclusions.get(one.attempt)
        return conclusion === undefined ? [] : settlementOf(one, conclusion)
      }))
      yield* spending.addMany(costsOf(ending))
      if (measuredCalls.length > 0) yield* canaryCounts.addMany(measuredCalls)
      return ending.map(({ attempt }) => conclusions.get(attempt)?.status ?? null)
    })

  return { conclude }
})

/** Costs of calls of campaigns; those that cost nothing are left out. */
const costsOf = (ending: ReadonlyArray<EndingAttempt>): ReadonlyArray<CampaignCallCost> =>
  ending.flatMap(({ attempt: { campaign_id }, costs }) => {
    if (campaign_id === null || costs === null) return []
    const amount = costs.amount_micros ?? 0
    return amount === 0 && costs.complete ? [] : [{ campaign_id, amount, isComplete: costs.complete, isCall: true }]
  })

/** An attempt of an enrolled contact with its conclusion. */
interface Concluded extends Pick<EndingAttempt, "attempt" | "outcome"> {
  /** Counters of the contact before its next attempt. */
  readonly counters: RetryCounters
  readonly conclusion: Conclusion
}

const numbersCalledAgain = (batch: ReadonlyArray<Concluded>): ReadonlyArray<PhoneNumber> =>
  batch.flatMap(({ attempt, conclusion }) => conclusion.next === null ? [] : attempt.user_phone_number)

const settlementOf = (
  { attempt, outcome }: EndingAttempt,
  { decision, next, status }: Conclusion
): ReadonlyArray<Settlement> => {
  const { attempt_id, campaign_id, user_phone_number } = attempt
  if (campaign_id === null) return []
  const { completion_status, connectivity_status } = summarizeOutcome(outcome, status)
  return [{
    campaign_id,
    user_phone_number,
    attempt_id,
    outcome: attemptOutcomeOf(outcome, status),
    last_outcome: { completion_status, connectivity_status, next_action_status: status },
    decision,
    next
  }]
}
