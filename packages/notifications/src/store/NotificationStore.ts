import type { LeaseClaim, Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer, type Option } from "effect"
import type { Report } from "../reports/Report.js"
import type { Channel, NotificationRule, RuleId } from "../rules/NotificationRule.js"
import type { Delivery } from "./Delivery.js"
import { makeMemoryNotifications } from "./MemoryNotifications.js"
import type { ExcludedScopes, ListPage, NotificationRun, OwnedRule, RunId } from "./NotificationRun.js"

/**
 * Stores notification rules, the runs of their occurrences, and a delivery per run and channel. Writes join the running
 * transaction. Occurrences are in business time; leases and attempts in real milliseconds since 1970.
 * `notificationStoreLaws` from `@trunkline/notifications/testing` checks an implementation.
 */
export class NotificationStore extends Context.Tag("@trunkline/notifications/NotificationStore")<NotificationStore, {
  /** Inserts or replaces a rule of the workspace. */
  readonly putRule: (scope: Scope, rule: NotificationRule) => Effect.Effect<void>
  readonly findRule: (scope: Scope, id: RuleId) => Effect.Effect<Option.Option<NotificationRule>>
  /** Lists the rules of a board, newest first, then by ascending id. */
  readonly listRules: (
    scope: Scope,
    board_id: string,
    page: ListPage
  ) => Effect.Effect<{ readonly items: ReadonlyArray<NotificationRule>; readonly total: number }>
  /** Deletes a rule with its runs and deliveries. Returns false when there is none. */
  readonly removeRule: (scope: Scope, id: RuleId) => Effect.Effect<boolean>
  /** Deletes the rules of a board that report these widgets. */
  readonly removeRulesOf: (scope: Scope, board_id: string, widget_ids: ReadonlyArray<string>) => Effect.Effect<void>

  /** Time at which the next rule of any workspace is due; none when no rule is enabled. */
  readonly nextRunAt: Effect.Effect<Option.Option<number>>
  /** Rules with `next_run_at` at or before `now`, longest due first. */
  readonly dueRules: (
    options: { readonly now: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<OwnedRule>>
  /** Updates `next_run_at` from `from` to `to`. Returns false when it is no longer `from`. */
  readonly advance: (
    id: RuleId,
    options: { readonly from: number; readonly to: number | null }
  ) => Effect.Effect<boolean>

  /** Inserts a run. Returns false and changes nothing when its rule already has one for this occurrence. */
  readonly insertRun: (run: NotificationRun) => Effect.Effect<boolean>
  /**
   * Claims available pending runs in order of occurrence, except those of excluded workspaces, and increments their
   * claims.
   */
  readonly claimRuns: (claim: LeaseClaim & ExcludedScopes) => Effect.Effect<ReadonlyArray<NotificationRun>>
  /**
   * Time at which the next pending run becomes available, including leases and delays, except in excluded workspaces.
   */
  readonly nextRunClaim: (passing: ExcludedScopes) => Effect.Effect<Option.Option<number>>
  /**
   * Makes a pending run available again from `at`, in real milliseconds since 1970, and increments its releases.
   * Returns false and changes nothing when it is no longer pending or was claimed again (its number of claims differs).
   */
  readonly releaseRun: (run: Pick<NotificationRun, "run_id" | "claims">, at: number) => Effect.Effect<boolean>
  /**
   * Ends the pending state of a run and stores its report. Returns false and changes nothing when it is no longer
   * pending or was claimed again (its number of claims differs).
   */
  readonly settleRun: (
    run: Pick<NotificationRun, "run_id" | "claims" | "state">,
    report: Report | null
  ) => Effect.Effect<boolean>
  /** Report of a run whose deliveries have not ended. */
  readonly findReport: (id: RunId) => Effect.Effect<Option.Option<Report>>
  /** Changes a run from `sending` to `done` and deletes its report, unless one of its deliveries is pending. */
  readonly closeRun: (id: RunId) => Effect.Effect<void>
  /** Deletes all but the newest `count` runs of a rule, with their deliveries. */
  readonly keepRuns: (id: RuleId, count: number) => Effect.Effect<void>

  /** Inserts deliveries; an existing delivery of the same run and channel is kept. */
  readonly insertDeliveries: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void>
  /** Claims available pending deliveries of a channel, longest due first, and increments their tries. */
  readonly claimDeliveries: (channel: Channel, claim: LeaseClaim) => Effect.Effect<ReadonlyArray<Delivery>>
  /** Time at which the next pending delivery of a channel becomes available, including leases. */
  readonly nextDelivery: (channel: Channel) => Effect.Effect<Option.Option<number>>
  /**
   * Replaces a delivery. Returns false and changes nothing when it was removed, has ended, or was claimed again (its
   * number of tries differs).
   */
  readonly saveDelivery: (delivery: Delivery) => Effect.Effect<boolean>
  /** Lists the deliveries of a rule, newest occurrence first, then by channel. */
  readonly listDeliveries: (
    scope: Scope,
    rule_id: RuleId,
    page: ListPage
  ) => Effect.Effect<{ readonly items: ReadonlyArray<Delivery>; readonly total: number }>
}>() {
  /** Keeps everything in memory. */
  static readonly layerMemory: Layer.Layer<NotificationStore> = Layer.sync(NotificationStore, makeMemoryNotifications)
}
