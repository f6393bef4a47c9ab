import type { NextActionStatus } from "@trunkline/kernel"
import type { CallOutcome } from "@trunkline/telephony"
import type { Campaign } from "../campaign/Campaign.js"
import { isOver } from "../campaign/CampaignStates.js"
import { nextDialMoment } from "../gate/CampaignChecks.js"
import { type Decision, type GateReason, hold, refuse } from "../gate/Decision.js"
import { isTooShort, nextAction } from "./NextAction.js"
import type { RetryConfig, RetryCounters } from "./RetryPolicy.js"

/** What follows an ended attempt: the word for it, what is decided about the person, and when they are called again. */
export interface Conclusion {
  readonly status: NextActionStatus | null
  readonly decision: Decision
  readonly next: { readonly due_at: number; readonly counters: RetryCounters } | null
}

/**
 * Why somebody whose attempt ended like this is not called again, when the policy asks for nothing: a talk that counts is
 * `done`; one that called for another try, or was too short to count, has used up its tries.
 */
const endOf = (outcome: CallOutcome, policy: RetryConfig | null): GateReason => {
  if (outcome._tag === "NotConnected") {
    if (outcome.situation === "unknown") return "outcome_unknown"
    return outcome.situation === "blocked" ? "blocked_number" : "retries_exhausted"
  }
  const { business_retry, fault } = outcome.report
  return fault === null && !business_retry && !isTooShort({ outcome, policy }) ? "done" : "retries_exhausted"
}

const end = (reason: GateReason, now: number): Conclusion => ({
  status: null,
  decision: refuse(reason, now),
  next: null
})

/**
 * What follows an ended attempt (shapes 3.9): the policy's action, moved into the campaign's window; nothing when that
 * would be at or past its end, or the campaign is over. `now` is epoch milliseconds of business time.
 */
export const concludeAttempt = (situation: {
  readonly outcome: CallOutcome
  readonly campaign: Campaign
  readonly counters: RetryCounters
  readonly now: number
}): Conclusion => {
  const { campaign, counters, now, outcome } = situation
  const policy = campaign.app_config.retry_config
  const action = nextAction({ outcome, policy, counters, now })
  if (action === null) return end(endOf(outcome, policy), now)
  if (isOver(campaign.status)) return end(campaign.status === "ended" ? "campaign_ended" : "campaign_cancelled", now)
  const due_at = nextDialMoment(campaign, action.due)
  if (due_at === null) return end("past_end", now)
  return {
    status: action.status,
    decision: hold("retry_interval", now, due_at),
    next: { due_at, counters: action.counters }
  }
}

/** What follows when somebody who would be called again must not be. */
export const barredFrom = (reason: "stopped" | "blocked_number", now: number): Conclusion => end(reason, now)
