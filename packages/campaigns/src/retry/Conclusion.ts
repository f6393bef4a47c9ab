import type { NextActionStatus } from "@trunkline/kernel"
import type { CallOutcome } from "@trunkline/telephony"
import { type Campaign, isFinalStatus } from "../campaign/Campaign.js"
import type { RetryConfig, RetryCounters } from "../campaign/RetryPolicy.js"
import { type GateReason, type GateResult, hold, refuse } from "../contacts/GateResult.js"
import { nextDialMoment } from "../gate/CampaignChecks.js"
import { isAnsweredByNobody, isTooShort, nextAction } from "./RetryTable.js"

/** Consequences of an ended attempt: its next action, the decision about the contact, and the next attempt. */
export interface Conclusion {
  readonly status: NextActionStatus | null
  readonly decision: GateResult
  readonly next: { readonly due_at: number; readonly counters: RetryCounters } | null
}

/**
 * The reason why a contact without a next action is finished: `done` after a conversation that counts; otherwise, after
 * one that asked for another try or was too short, the retries are exhausted.
 */
const finalReason = (outcome: CallOutcome, policy: RetryConfig | null): GateReason => {
  if (outcome._tag === "NotConnected") {
    if (outcome.situation === "unknown") return "outcome_unknown"
    return outcome.situation === "blocked" ? "blocked_number" : "retries_exhausted"
  }
  const { answer, business_retry, fault } = outcome.report
  if (isAnsweredByNobody(outcome)) return answer?.action === "message_left" ? "done" : "retries_exhausted"
  return fault === null && !business_retry && !isTooShort(outcome, policy) ? "done" : "retries_exhausted"
}

const finish = (reason: GateReason, now: number): Conclusion => ({
  status: null,
  decision: refuse(reason, now),
  next: null
})

/**
 * Concludes an ended attempt: the policy's next action, moved into the campaign's window; none when that is at or past
 * the campaign's end, or the campaign is over. `now` is epoch milliseconds of business time.
 */
export const concludeAttempt = ({ campaign, counters, now, outcome }: {
  readonly outcome: CallOutcome
  readonly campaign: Campaign
  readonly counters: RetryCounters
  readonly now: number
}): Conclusion => {
  const policy = campaign.app_config.retry_config
  const action = nextAction({ outcome, policy, counters, now })
  if (action === null) return finish(finalReason(outcome, policy), now)
  if (isFinalStatus(campaign.status)) {
    return finish(campaign.status === "ended" ? "campaign_ended" : "campaign_cancelled", now)
  }
  const due_at = nextDialMoment(campaign, action.due)
  if (due_at === null) return finish("past_end", now)
  return {
    status: action.status,
    decision: hold("retry_interval", now, due_at),
    next: { due_at, counters: action.counters }
  }
}

/** Concludes an attempt of a contact whose number is excluded from further calls. */
export const concludeExcluded = (reason: "stopped" | "blocked_number", now: number): Conclusion => finish(reason, now)
