import { DateTime, Schema } from "effect"

/**
 * Reason for a decision of the gate about a call; an extension of the API.
 *
 * Stored with each contact: `new` (enrolled, not called yet), `allowed` (in a call), `retry_interval` (a retry is
 * scheduled), `daily_cap`, `on_the_phone` (postponed), and the final reasons `done`, `retries_exhausted`,
 * `outcome_unknown`, `past_end`, `stopped`, `blocked_number`, `campaign_ended` and `campaign_cancelled`.
 *
 * Computed for the whole campaign, and shown for its waiting contacts: `campaign_scheduled`, `campaign_paused`,
 * `budget_reached`, `outside_window`, `agent_version`, `line_missing`, `line_paused`, `no_capacity`, `rate`, and the two ends of a
 * campaign.
 */
export const GateReason = Schema.Literal(
  "allowed",
  "new",
  "campaign_scheduled",
  "campaign_paused",
  "budget_reached",
  "outside_window",
  "retry_interval",
  "rate",
  "no_capacity",
  "line_paused",
  "line_missing",
  "daily_cap",
  "on_the_phone",
  "agent_version",
  "stopped",
  "blocked_number",
  "done",
  "retries_exhausted",
  "outcome_unknown",
  "past_end",
  "campaign_ended",
  "campaign_cancelled"
)
export type GateReason = typeof GateReason.Type

/** Reasons stored with contacts, by state. */
export const contactReasons = {
  waiting: ["new", "retry_interval", "daily_cap", "on_the_phone"],
  calling: ["allowed"],
  finished: [
    "done",
    "retries_exhausted",
    "outcome_unknown",
    "past_end",
    "stopped",
    "blocked_number",
    "campaign_ended",
    "campaign_cancelled"
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<GateReason>>>

/** A reason stored with contacts. Reasons that block a whole campaign are not stored, but part of its progress. */
export const ContactReason = GateReason.pipe(
  Schema.pickLiteral(
    "new",
    "allowed",
    "retry_interval",
    "daily_cap",
    "on_the_phone",
    "done",
    "retries_exhausted",
    "outcome_unknown",
    "past_end",
    "stopped",
    "blocked_number",
    "campaign_ended",
    "campaign_cancelled"
  )
)

/** Verdict of the gate on a call to a contact: allowed now, not before a moment, or never again in this campaign. */
export const GateVerdict = Schema.Literal("allow", "not_before", "never")
export type GateVerdict = typeof GateVerdict.Type

/** A decision of the gate about a call to a contact. Moments are epoch milliseconds of business time. */
export interface GateResult {
  readonly verdict: GateVerdict
  readonly reason: GateReason
  /** The moment of the decision. */
  readonly at: number
  /** The earliest moment of the call; null when it is not known, and unless the verdict is `not_before`. */
  readonly not_before: number | null
  /** Sentence without its period about the facts of this decision, in place of the one of its reason. */
  readonly detail?: string
}

/** Allows the call. */
export const allow = (reason: GateReason, at: number): GateResult => ({
  verdict: "allow",
  reason,
  at,
  not_before: null
})

/** Postpones the call to a moment, or, with null, until something changes. */
export const hold = (reason: GateReason, at: number, not_before: number | null, detail?: string): GateResult => ({
  verdict: "not_before",
  reason,
  at,
  not_before,
  ...(detail !== undefined && { detail })
})

/** Rules the call out for good. */
export const refuse = (reason: GateReason, at: number): GateResult => ({
  verdict: "never",
  reason,
  at,
  not_before: null
})

const sentences: Record<GateReason, string> = {
  allowed: "The contact may be called",
  new: "The contact has not been called yet and is called when its turn comes",
  campaign_scheduled: "The campaign has not started",
  campaign_paused: "The campaign is paused",
  budget_reached: "The budget of the campaign is spent",
  outside_window: "The campaign does not dial at this hour",
  retry_interval: "The last attempt is followed by another one, which is not due yet",
  rate: "The campaign dials no faster than its attempts per second",
  no_capacity: "All lines are in use",
  line_paused: "Most calls on the line failed, so dialling on it is paused",
  line_missing: "None of the campaign's connections is configured",
  daily_cap: "The number has reached its limit of dials in one day",
  on_the_phone: "The number is already in a call with this workspace",
  agent_version: "The agent's version is no longer committed",
  stopped: "The number is in a stop file of the campaign",
  blocked_number: "The number is on the do-not-call list",
  done: "The call was completed and needs no retry",
  retries_exhausted: "The retry policy allows no further attempt",
  outcome_unknown: "It is unknown if the last attempt was dialled, so it is not repeated",
  past_end: "The campaign ends before the next attempt could be made",
  campaign_ended: "The campaign has ended",
  campaign_cancelled: "The campaign was cancelled"
}

/** Explains a decision in one plain English sentence. */
export const explain = (
  { detail, not_before, reason }: Pick<GateResult, "detail" | "not_before" | "reason">
): string => {
  const until = not_before === null ? "" : `; not before ${DateTime.formatIso(DateTime.unsafeMake(not_before))}`
  return `${detail ?? sentences[reason]}${until}.`
}
