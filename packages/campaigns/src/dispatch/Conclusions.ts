import { BusinessTime, type CampaignId, type NextActionStatus, type PhoneNumber } from "@trunkline/kernel"
import { type EndingAttempt, summarizeOutcome } from "@trunkline/telephony"
import { Effect, Option } from "effect"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import type { Settlement } from "../contacts/ContactTransitions.js"
import { type Exclusion, Gate } from "../gate/Gate.js"
import { attemptOutcomeOf } from "../progress/AttemptOutcome.js"
import { concludeAttempt, concludeExcluded, type Conclusion } from "../retry/Conclusion.js"
import { DispatchStore } from "./DispatchStore.js"

/**
 * Concludes attempts that end together: reads the facts of each campaign once, decides in order, and settles all contacts
 * in one step. Joins the running transaction. A contact that a list now excludes gets no next attempt.
 */
export const makeConclusions = Effect.gen(function*() {
  const campaigns = yield* CampaignStore
  const dispatch = yield* DispatchStore
  const gate = yield* Gate

  const concludeIn = (owned: OwnedCampaign, ending: ReadonlyArray<EndingAttempt>) =>
    Effect.gen(function*() {
      const { campaign } = owned
      const numbers = ending.map(({ attempt }) => attempt.user_phone_number)
      const counters = yield* dispatch.retriesOf(campaign.campaign_id, numbers)
      const now = yield* BusinessTime.now
      const concluded = ending.map(({ attempt, outcome }): Concluded => {
        const known = counters.get(attempt.user_phone_number)
        const conclusion = known === undefined ? null : concludeAttempt({ outcome, campaign, counters: known, now })
        return { attempt, outcome, conclusion }
      })
      const exclusions = yield* gate.exclusions(owned, numbersCalledAgain(concluded))
      return concluded.map((one) => withoutExcluded(one, exclusions, now))
    })

  const conclude = (
    ending: ReadonlyArray<EndingAttempt>
  ): Effect.Effect<ReadonlyArray<NextActionStatus | null>> =>
    Effect.gen(function*() {
      const conclusions = new Map<EndingAttempt["attempt"], Conclusion>()
      for (const [campaign_id, some] of groupByCampaign(ending)) {
        const owned = yield* campaigns.findOwned(campaign_id)
        if (Option.isNone(owned)) continue
        for (const { attempt, conclusion } of yield* concludeIn(owned.value, some)) {
          if (conclusion !== null) conclusions.set(attempt, conclusion)
        }
      }
      yield* dispatch.settleMany(ending.flatMap((one) => {
        const conclusion = conclusions.get(one.attempt)
        return conclusion === undefined ? [] : settlementOf(one, conclusion)
      }))
      return ending.map(({ attempt }) => conclusions.get(attempt)?.status ?? null)
    })

  return { conclude }
})

/** An attempt with its conclusion; null when its contact is not enrolled. */
interface Concluded extends EndingAttempt {
  readonly conclusion: Conclusion | null
}

const groupByCampaign = (
  ending: ReadonlyArray<EndingAttempt>
): ReadonlyMap<CampaignId, ReadonlyArray<EndingAttempt>> => {
  const groups = new Map<CampaignId, Array<EndingAttempt>>()
  for (const one of ending) {
    const { campaign_id } = one.attempt
    if (campaign_id === null) continue
    const group = groups.get(campaign_id)
    if (group === undefined) groups.set(campaign_id, [one])
    else group.push(one)
  }
  return groups
}

const numbersCalledAgain = (concluded: ReadonlyArray<Concluded>): ReadonlyArray<PhoneNumber> =>
  concluded.flatMap(({ attempt, conclusion }) =>
    conclusion === null || conclusion.next === null ? [] : attempt.user_phone_number
  )

const withoutExcluded = (
  concluded: Concluded,
  exclusions: ReadonlyMap<PhoneNumber, Exclusion>,
  now: number
): Concluded => {
  const { attempt, conclusion } = concluded
  const exclusion = exclusions.get(attempt.user_phone_number)
  return exclusion === undefined || conclusion === null || conclusion.next === null
    ? concluded
    : { ...concluded, conclusion: concludeExcluded(exclusion, now) }
}

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
