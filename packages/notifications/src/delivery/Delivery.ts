import { type Scope, Timestamp } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import { Channel, RuleId } from "../rules/NotificationRule.js"
import { RunId } from "../schedule/NotificationRun.js"

/** A UUID of a delivery. */
export const DeliveryId = Schema.String.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** How a delivery is kept: `pending` until it is over, however that came. */
export const DeliveryState = Schema.Literal("pending", "delivered", "failed", "cancelled", "skipped_missed")
export type DeliveryState = typeof DeliveryState.Type

/** Somebody who needs no further mail of a run. */
export const Settled = Schema.Struct({
  address: Schema.String,
  /** Why the mail was refused for good; null when it was sent. */
  refused: Schema.NullOr(Schema.String)
})
export type Settled = typeof Settled.Type

/** What one channel of a run gets, and how far that has come. */
export interface Delivery {
  readonly delivery_id: DeliveryId
  readonly run_id: RunId
  readonly rule_id: RuleId
  readonly scope: Scope
  readonly scheduled_for: number
  readonly channel: Channel
  readonly state: DeliveryState
  /** Tries begun. */
  readonly tries: number
  /** When the next try is due, in real milliseconds since 1970; 0 is at once. */
  readonly due_at: number
  /** Until when the try that is running keeps it to itself, in real milliseconds since 1970; 0 when none runs. */
  readonly leased_until: number
  /** Why the latest try failed, without addresses or content; null when it did not. */
  readonly last_error: string | null
  /** The code of the failure that the report tells of, such as `TIMEOUT`; null when it has a table, or there is no report. */
  readonly error_code: string | null
  /** When the latest try began, in real milliseconds since 1970. */
  readonly started_at: number | null
  /** When it was over, in real milliseconds since 1970. */
  readonly finished_at: number | null
  /** How many rows the report has; null when there is no table. */
  readonly rows: number | null
  readonly truncated: boolean | null
  /** Whom a retry does not mail again; forgotten when the delivery is over. */
  readonly settled: ReadonlyArray<Settled>
}

/** An item of the delivery history: no address, no content. Moments are UTC; `scheduled_for` is business time. */
export class DeliveryItem extends Schema.Class<DeliveryItem>("DeliveryItem")({
  delivery_id: DeliveryId,
  run_id: RunId,
  rule_id: RuleId,
  /** The moment that the cron meant. */
  scheduled_for: Timestamp,
  channel: Channel,
  status: Schema.Literal("pending", "running", "delivered", "failed", "cancelled", "skipped_missed"),
  tries: Schema.NonNegativeInt,
  /** Why the latest try to deliver failed. */
  last_error: Schema.NullOr(Schema.String),
  /** The code of the failure that the report told of in place of a table, such as `TIMEOUT` (shapes 1.4). */
  error_code: Schema.NullOr(Schema.String),
  started_at: Schema.NullOr(Timestamp),
  finished_at: Schema.NullOr(Timestamp),
  /** Null unless it waits for a try. */
  next_try_at: Schema.NullOr(Timestamp),
  rows: Schema.NullOr(Schema.NonNegativeInt),
  truncated: Schema.NullOr(Schema.Boolean)
}) {}

const momentOf = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

/** The public form of a delivery, at `now` in real milliseconds since 1970. */
export const deliveryItem = (delivery: Delivery, now: number): DeliveryItem => {
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
    started_at: momentOf(delivery.started_at),
    finished_at: momentOf(delivery.finished_at),
    next_try_at: waits ? DateTime.unsafeMake(Math.max(delivery.due_at, now)) : null,
    rows,
    truncated
  })
}
