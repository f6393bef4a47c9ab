import type { Scope } from "@trunkline/kernel"
import { Schema } from "effect"
import type { NotificationRule, RuleId } from "../rules/NotificationRule.js"

/** UUID of a run. */
export const RunId = Schema.String.pipe(Schema.brand("RunId"))
export type RunId = typeof RunId.Type

/**
 * State of a run: `pending` until the widget has run, `sending` until its deliveries have ended, then `done`. Without a
 * report it ends as `failed` (interrupted twice), `cancelled` (rule disabled first) or `skipped_missed` (no process was
 * running in time).
 */
export const RunState = Schema.Literal("pending", "sending", "done", "failed", "cancelled", "skipped_missed")
export type RunState = typeof RunState.Type

/** One scheduled occurrence of a rule. */
export interface NotificationRun {
  readonly run_id: RunId
  readonly rule_id: RuleId
  readonly scope: Scope
  /** Occurrence of the cron schedule, in business milliseconds since 1970; unique per rule. */
  readonly scheduled_for: number
  readonly state: RunState
  /** Number of times the run was claimed. */
  readonly claims: number
  /** Number of times the run was released because the warehouse was busy; these claims were not interrupted. */
  readonly releases: number
  /** Time of the first claim, in real milliseconds since 1970; null before it. */
  readonly first_claimed_at: number | null
  /** Time until which the run is leased or delayed, in real milliseconds since 1970; 0 when it can be claimed. */
  readonly leased_until: number
}

/** A rule and its workspace. */
export interface OwnedRule {
  readonly scope: Scope
  readonly rule: NotificationRule
}

/** A page of a list. */
export interface ListPage {
  readonly limit: number
  readonly offset: number
}

/** Workspaces to exclude. */
export interface ExcludedScopes {
  readonly exceptScopes: ReadonlyArray<Scope>
}
