import type { Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer, type Option } from "effect"
import type { Delivery } from "../delivery/Delivery.js"
import type { Report } from "../reports/Report.js"
import type { Channel, NotificationRule, RuleId } from "../rules/NotificationRule.js"
import { memoryNotifications } from "./MemoryNotifications.js"
import type { NotificationRun, RunId } from "./NotificationRun.js"

/** A rule and the workspace that it belongs to. */
export interface OwnedRule {
  readonly scope: Scope
  readonly rule: NotificationRule
}

/** A part of a list. */
export interface ListPage {
  readonly limit: number
  readonly offset: number
}

/** What may be taken: at most so much of what is due at `now`, kept for so long, in real milliseconds. */
export interface Claim {
  readonly now: number
  readonly limit: number
  readonly leaseMillis: number
}

/** Workspaces that are passed over. */
export interface Passing {
  readonly exceptScopes: ReadonlyArray<Scope>
}

/**
 * Keeps notification rules, the runs of their occurrences, and a delivery per run and channel. Every write joins the
 * running transaction. Occurrences are in business time; leases and tries in real milliseconds since 1970.
 */
export class NotificationStore extends Context.Tag("@trunkline/notifications/NotificationStore")<NotificationStore, {
  /** Adds or replaces a rule of the workspace. */
  readonly putRule: (scope: Scope, rule: NotificationRule) => Effect.Effect<void>
  readonly findRule: (scope: Scope, id: RuleId) => Effect.Effect<Option.Option<NotificationRule>>
  /** The rules of a board, newest first, equal ones by ascending id. */
  readonly listRules: (
    scope: Scope,
    board_id: string,
    page: ListPage
  ) => Effect.Effect<{ readonly items: ReadonlyArray<NotificationRule>; readonly total: number }>
  /** With its runs and deliveries. True when there was one to remove. */
  readonly removeRule: (scope: Scope, id: RuleId) => Effect.Effect<boolean>
  /** Removes the rules of a board that report these widgets. */
  readonly removeRulesOf: (scope: Scope, board_id: string, widget_ids: ReadonlyArray<string>) => Effect.Effect<void>

  /** When the next rule is due, of all workspaces; none when no rule is enabled. */
  readonly nextRunAt: Effect.Effect<Option.Option<number>>
  /** Rules with `next_run_at` at or before `now`, longest due first. */
  readonly dueRules: (
    options: { readonly now: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<OwnedRule>>
  /** Moves `next_run_at`, unless it is no longer `from`: false then. */
  readonly advance: (
    id: RuleId,
    options: { readonly from: number; readonly to: number | null }
  ) => Effect.Effect<boolean>

  /** Adds a run; false, and nothing changes, when its rule has one for this occurrence. */
  readonly insertRun: (run: NotificationRun) => Effect.Effect<boolean>
  /** Takes pending runs that nobody has, of all workspaces but those named, by occurrence, and counts a claim for each. */
  readonly claimRuns: (claim: Claim & Passing) => Effect.Effect<ReadonlyArray<NotificationRun>>
  /** When the next pending run of all workspaces but those named can be taken, leases and waits included. */
  readonly nextRunClaim: (passing: Passing) => Effect.Effect<Option.Option<number>>
  /**
   * Puts a pending run back, to be taken from `at` on, in real milliseconds since 1970, and counts the release. False, and
   * nothing changes, when it is no longer pending or was taken again (another number of claims).
   */
  readonly releaseRun: (run: Pick<NotificationRun, "run_id" | "claims">, at: number) => Effect.Effect<boolean>
  /**
   * Ends the part of a pending run that its holder is at: gives it another state and keeps the report that it has to
   * tell. False, and nothing changes, when it is no longer pending or was taken again (another number of claims).
   */
  readonly settleRun: (
    run: Pick<NotificationRun, "run_id" | "claims" | "state">,
    report: Report | null
  ) => Effect.Effect<boolean>
  /** The report of a run whose deliveries are not over. */
  readonly findReport: (id: RunId) => Effect.Effect<Option.Option<Report>>
  /** Forgets the report of a run that is `sending`, which is `done`, unless a delivery of it is pending. */
  readonly closeRun: (id: RunId) => Effect.Effect<void>
  /** Forgets all runs of a rule but the newest `count`, with their deliveries. */
  readonly keepRuns: (id: RuleId, count: number) => Effect.Effect<void>

  /** Adds deliveries; a channel of a run that has one keeps it. */
  readonly insertDeliveries: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void>
  /** Takes pending deliveries of a channel that are due and that nobody has, longest due first, and counts a try for each. */
  readonly claimDeliveries: (channel: Channel, claim: Claim) => Effect.Effect<ReadonlyArray<Delivery>>
  /** When the next pending delivery of a channel can be taken, leases included. */
  readonly nextDelivery: (channel: Channel) => Effect.Effect<Option.Option<number>>
  /** Replaces a delivery. False, and nothing changes, when it is gone, over, or was taken again (another number of tries). */
  readonly saveDelivery: (delivery: Delivery) => Effect.Effect<boolean>
  /** The deliveries of a rule, newest occurrence first, and then by channel. */
  readonly listDeliveries: (
    scope: Scope,
    rule_id: RuleId,
    page: ListPage
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Delivery>; readonly total: number }>
}>() {
  /** Keeps everything in memory, gone when the layer is. */
  static readonly layerMemory: Layer.Layer<NotificationStore> = Layer.sync(NotificationStore, memoryNotifications)
}
