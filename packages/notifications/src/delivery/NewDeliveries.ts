import type { Ids } from "@trunkline/kernel"
import { type Context, Effect } from "effect"
import { channelsOf, type NotificationRule } from "../rules/NotificationRule.js"
import type { NotificationRun } from "../schedule/NotificationRun.js"
import { type Delivery, DeliveryId } from "./Delivery.js"

/** A delivery of a run for each channel of its rule: to be sent at once, or over before it began. */
export const deliveriesOf = (
  rule: NotificationRule,
  run: Pick<NotificationRun, "run_id" | "rule_id" | "scope" | "scheduled_for">,
  how:
    & Pick<Delivery, "state">
    & Partial<Pick<Delivery, "error_code" | "finished_at" | "last_error" | "rows" | "truncated">>,
  ids: Context.Tag.Service<typeof Ids>
): Effect.Effect<ReadonlyArray<Delivery>> =>
  Effect.forEach(channelsOf(rule), (channel) =>
    Effect.map(ids.uuid, (id): Delivery => ({
      delivery_id: DeliveryId.make(id),
      run_id: run.run_id,
      rule_id: run.rule_id,
      scope: run.scope,
      scheduled_for: run.scheduled_for,
      channel,
      tries: 0,
      due_at: 0,
      leased_until: 0,
      last_error: null,
      error_code: null,
      started_at: null,
      finished_at: null,
      rows: null,
      truncated: null,
      settled: [],
      ...how
    })))
