import type { Scope } from "@trunkline/kernel"
import { Schema } from "effect"
import type { RuleId } from "../rules/NotificationRule.js"

/** A UUID of a run. */
export const RunId = Schema.String.pipe(Schema.brand("RunId"))
export type RunId = typeof RunId.Type

/**
 * `pending` until the widget has been run, `sending` until its deliveries are over (`done`); or it came to nothing:
 * `failed` when it was interrupted twice, `cancelled` when its rule was disabled first, `skipped_missed` when nobody
 * was there in time.
 */
export const RunState = Schema.Literal("pending", "sending", "done", "failed", "cancelled", "skipped_missed")
export type RunState = typeof RunState.Type

/** One decided occurrence of a rule. */
export interface NotificationRun {
  readonly run_id: RunId
  readonly rule_id: RuleId
  readonly scope: Scope
  /** The moment that the cron meant, in business milliseconds since 1970: one run of a rule for each. */
  readonly scheduled_for: number
  readonly state: RunState
  /** How often somebody has taken it to run the widget. */
  readonly claims: number
  /** How often it was put back because the warehouse had no room: so many of its claims were not interrupted. */
  readonly releases: number
  /** When it was first taken, in real milliseconds since 1970; null when nobody has. */
  readonly first_claimed_at: number | null
  /** Until when nobody else takes it, in real milliseconds since 1970: somebody has it, or it waits; 0 when anybody may. */
  readonly leased_until: number
}
