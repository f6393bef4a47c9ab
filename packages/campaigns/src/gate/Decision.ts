import { Schema } from "effect"

/**
 * Why somebody is called, is not called yet, or is not called any more (an extension of the API).
 *
 * Kept with each person: `new` (enrolled, and nothing speaks against a call), `allowed` (on the phone), `retry_interval`
 * (called again later), `daily_cap`, `on_the_phone` (put off), and the ends `done`, `retries_exhausted`,
 * `outcome_unknown`, `past_end`, `stopped`, `blocked_number`, `campaign_ended` and `campaign_cancelled`.
 *
 * Holds of the whole campaign, which lie over those who wait: `campaign_scheduled`, `campaign_paused`, `outside_window`,
 * `agent_version`, `line_missing`, `line_paused`, `no_capacity`, `rate`, and the two ends of a campaign.
 */
export const GateReason = Schema.Literal(
  "allowed",
  "new",
  "campaign_scheduled",
  "campaign_paused",
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

/** The reasons that are kept with people, by where these are. */
export const keptReasons = {
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

/** Reasons that are kept with people. Those that hold a whole campaign are laid over these, and are in its progress. */
export const KeptReason = GateReason.pipe(
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

/** Whether a person may be called: now, not before a moment, or never again in this campaign. */
export const Verdict = Schema.Literal("allow", "not_before", "never")
export type Verdict = typeof Verdict.Type

/** What was decided about a call to a person, when and why. Moments are epoch milliseconds of business time. */
export interface Decision {
  readonly verdict: Verdict
  readonly reason: GateReason
  /** When it was decided. */
  readonly at: number
  /** The first moment that the reason leaves open; null where none is known, and unless the verdict is `not_before`. */
  readonly not_before: number | null
}

/** Somebody may be called. */
export const allow = (reason: GateReason, at: number): Decision => ({ verdict: "allow", reason, at, not_before: null })

/** Somebody is not called before a moment, or before something changes. */
export const hold = (reason: GateReason, at: number, not_before: number | null): Decision => ({
  verdict: "not_before",
  reason,
  at,
  not_before
})

/** Somebody is never called again. */
export const refuse = (reason: GateReason, at: number): Decision => ({ verdict: "never", reason, at, not_before: null })
