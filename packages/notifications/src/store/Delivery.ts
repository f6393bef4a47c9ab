import { type Ids, type Scope, Timestamp } from "@trunkline/kernel"
import { type Context, DateTime, Effect, Schema } from "effect"
import { Channel, channelsOf, type NotificationRule, RuleId } from "../rules/NotificationRule.js"
import { type NotificationRun, RunId } from "./NotificationRun.js"

/** UUID of a delivery. */
export const DeliveryId = Schema.String.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** State of a delivery: `pending` until it has ended in one of the other states. */
export const DeliveryState = Schema.Literal("pending", "delivered", "failed", "cancelled", "skipped_missed")
export type DeliveryState = typeof DeliveryState.Type

/** A recipient who gets no further mail of a run. */
export const SettledRecipient = Schema.Struct({
  address: Schema.String,
  /** Reason of a permanent failure; null when the mail was sent. */
  refused: Schema.NullOr(Schema.String)
})
export type SettledRecipient = typeof SettledRecipient.Type

/** Delivery of a run's report by one channel. */
export interface Delivery {
  readonly delivery_id: DeliveryId
  readonly run_id: RunId
  readonly rule_id: RuleId
  readonly scope: Scope
  readonly scheduled_for: number
  readonly channel: Channel
  readonly state: DeliveryState
  /** Number of attempts started. */
  readonly tries: number
  /** Time of the next attempt, in real milliseconds since 1970; 0 means at once. */
  readonly due_at: number
  /** End of the running attempt's lease, in real milliseconds since 1970; 0 when none is running. */
  readonly leased_until: number
  /** Error of the latest attempt, without addresses or content; null when it succeeded. */
  readonly last_error: string | null
  /** Error code of a report about a failed widget, such as `TIMEOUT`; null otherwise. */
  readonly error_code: string | null
  /** Start of the latest attempt, in real milliseconds since 1970. */
  readonly started_at: number | null
  /** End of the delivery, in real milliseconds since 1970. */
  readonly finished_at: number | null
  /** Number of rows in the report; null without a table. */
  readonly rows: number | null
  readonly truncated: boolean | null
  /** Recipients that a retry skips; cleared when the delivery ends. */
  readonly settled: ReadonlyArray<SettledRecipient>
}

/** An entry of the delivery history, without addresses and content. Times are UTC; `scheduled_for` is business time. */
export class DeliveryItem extends Schema.Class<DeliveryItem>("DeliveryItem")({
  delivery_id: DeliveryId,
  run_id: RunId,
  rule_id: RuleId,
  /** Occurrence of the cron schedule. */
  scheduled_for: Timestamp,
  channel: Channel,
  status: Schema.Literal("pending", "running", "delivered", "failed", "cancelled", "skipped_missed"),
  tries: Schema.NonNegativeInt,
  /** Error of the latest attempt. */
  last_error: Schema.NullOr(Schema.String),
  /** Error code of a report about a failed widget, such as `TIMEOUT`. */
  error_code: Schema.NullOr(Schema.String),
  started_at: Schema.NullOr(Timestamp),
  finished_at: Schema.NullOr(Timestamp),
  /** Null unless the delivery waits for an attempt. */
  next_try_at: Schema.NullOr(Timestamp),
  rows: Schema.NullOr(Schema.NonNegativeInt),
  truncated: Schema.NullOr(Schema.Boolean)
}) {}

const timestampOf = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

/** Public form of a delivery at `now`, in real milliseconds since 1970. */
export const toDeliveryItem = (delivery: Delivery, now: number): DeliveryItem => {
  const { delivery_id, run_id, rule_id, channel, error_code, tries, last_error, rows, state, truncated } = delivery
  const waits = state === "pending" && delivery.leased_until <= now
  return new DeliveryItem({
    delivery_id,
    run_id,
    rule_id,
    scheduled_for: DateTime.unsafeMake(delivery.scheduled_for),
    channel,
    status: state === "pending" && !waits ? "running" : state,
    tries,
    last_error,
    error_code,
    started_at: timestampOf(delivery.started_at),
    finished_at: timestampOf(delivery.finished_at),
    next_try_at: waits ? DateTime.unsafeMake(Math.max(delivery.due_at, now)) : null,
    rows,
    truncated
  })
}

/** Creates a delivery of a run for each channel of its rule. */
export const newDeliveries = (
  rule: NotificationRule,
  run: Pick<NotificationRun, "run_id" | "rule_id" | "scope" | "scheduled_for">,
  initial:
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
      ...initial
    })))
