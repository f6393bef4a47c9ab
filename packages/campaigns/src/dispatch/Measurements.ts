import type { CompletionStatus } from "@trunkline/kernel"
import { type Attempt, type CallOutcome, type Connected, summarizeOutcome } from "@trunkline/telephony"
import type { OwnedCampaign } from "../campaign/CampaignStore.js"
import type { RetryCounters } from "../campaign/RetryPolicy.js"
import type { CanaryMetric } from "../canary/Canary.js"
import type { MeasuredCall } from "../canary/CanaryCounts.js"
import type { Conclusion } from "../retry/Conclusion.js"
import { isAnsweredByNobody } from "../retry/RetryTable.js"

/**
 * Returns true for an outcome that tells something about the version of the agent: a conversation with a person that ended by
 * itself, or with a fault, such as an agent that does not start. The others say nothing about it, and would count against the arm
 * that happened to have more calls at that moment, which after a change of the percentage or with longer calls is not by lot: calls
 * that were not connected for any reason, also one of this side (a fault of the agent is one of a connected call), that ended because
 * the engine stopped, that were hung up on request, and whose line had trouble.
 */
const isTelling = (outcome: CallOutcome): outcome is Connected =>
  outcome._tag === "Connected" && outcome.cut === undefined && outcome.trouble === undefined &&
  !isAnsweredByNobody(outcome)

/** Returns true for a call that reached the aim. */
const reaches = (
  metric: CanaryMetric,
  outcome: Connected,
  completion: CompletionStatus,
  isRefused: boolean
): boolean => {
  if (outcome.report.fault !== null) return false
  if (metric === "completed") return completion === "completed"
  if (metric === "not_refused") return !isRefused
  const { better, values, variable } = metric
  const value = outcome.report.output_agent_variables[variable] ?? null
  const matches = values === undefined ? value !== null && value !== "" : value !== null && values.includes(value)
  return matches === (better === "more")
}

/**
 * The measurement of an ended attempt for its campaign's canary; null for one that does not count. Only the first telling call of
 * a contact counts, as the next ones depend on it.
 */
export const measure = ({ attempt, conclusion, counters, outcome, ownedCampaign }: {
  readonly ownedCampaign: OwnedCampaign
  readonly attempt: Attempt
  readonly outcome: CallOutcome
  readonly counters: RetryCounters
  readonly conclusion: Conclusion
}): MeasuredCall | null => {
  const { campaign_id, canary: settings } = ownedCampaign.campaign
  if (attempt.canary === undefined || settings == null || attempt.canary.number !== settings.number) return null
  if ((counters.measured ?? 0) > 0 || !isTelling(outcome)) return null
  const { completion_status, opt_out } = summarizeOutcome(outcome, conclusion.status)
  const isSuccess = reaches(settings.metric, outcome, completion_status, opt_out !== undefined)
  return { campaign_id, ...attempt.canary, isSuccess }
}

/** A conclusion whose next attempt remembers that the contact was measured. */
export const withMeasured = (conclusion: Conclusion): Conclusion => {
  const { next } = conclusion
  return next === null
    ? conclusion
    : { ...conclusion, next: { ...next, counters: { ...next.counters, measured: (next.counters.measured ?? 0) + 1 } } }
}
