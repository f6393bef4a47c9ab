import { issueType } from "@trunkline/errors"
import { AttemptId, emptyAsAbsent, QueryInt, Timestamp } from "@trunkline/kernel"
import { DateTime, ParseResult, Schema } from "effect"
import { disabledError, pauseError } from "../outbox/EndpointHealth.js"
import { claimableAt, DeliveryStatus, deliveryStatus, webhookIdOf } from "../outbox/OutboxRow.js"
import type { ListedWebhook, OutboxPosition } from "../outbox/OutboxService.js"

/** Largest page of deliveries. */
const maxDeliveries = 250

/** Default page size of deliveries. */
export const defaultDeliveries = 50

/** Largest number of attempts in a resend request. */
const maxResends = 200

const Place = Schema.Struct({ created_at: Schema.Int, webhook_id: Schema.String })

const cursorPattern = /^(\d{1,15})_([0-9a-f-]{36})$/

/** Opaque position in a list of deliveries. */
export const DeliveryCursor = Schema.transformOrFail(Schema.String, Place, {
  strict: true,
  decode: (text, _, ast) => {
    const [, at, id] = cursorPattern.exec(text) ?? []
    return at === undefined || id === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, "Must be a cursor of an earlier response"))
      : ParseResult.succeed({ created_at: Number(at), webhook_id: webhookIdOf(AttemptId.make(id)) })
  },
  encode: (place) => ParseResult.succeed(cursorOf(place))
}).annotations({ identifier: "DeliveryCursor", ...issueType("value_error") })

/** Cursor of a webhook. */
export const cursorOf = ({ created_at, webhook_id }: OutboxPosition): string =>
  `${created_at}_${webhook_id.slice(webhookIdOf(AttemptId.make("")).length)}`

/**
 * Query parameters of a campaign's deliveries, all optional, and all except `limit` may be empty. The range covers the
 * times at which attempts ended, including its start and excluding its end. `after` continues with older webhooks and
 * `before` with newer ones; only one of them may be given.
 */
export const DeliveriesQuery = Schema.Struct({
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(maxDeliveries)),
    { default: () => defaultDeliveries }
  ),
  after: emptyAsAbsent(DeliveryCursor),
  before: emptyAsAbsent(DeliveryCursor),
  start_datetime: emptyAsAbsent(Timestamp),
  end_datetime: emptyAsAbsent(Timestamp),
  status: emptyAsAbsent(DeliveryStatus),
  attempt_id: emptyAsAbsent(AttemptId)
}).pipe(
  Schema.filter(
    ({ after, before, end_datetime, start_datetime }) => [
      ...(after !== undefined && before !== undefined
        ? [{ path: ["before"], message: "Must not be given together with after" }]
        : []),
      ...(start_datetime !== undefined && end_datetime !== undefined
          && !DateTime.greaterThan(end_datetime, start_datetime)
        ? [{ path: ["end_datetime"], message: "Must be after start_datetime" }]
        : [])
    ],
    issueType("value_error")
  )
)
export type DeliveriesQuery = typeof DeliveriesQuery.Type

/** A delivery in a list. All its times are real time. */
export const DeliveryRecord = Schema.Struct({
  attempt_id: AttemptId,
  status: DeliveryStatus,
  url: Schema.String,
  /** Status of the latest response; null if there was none. */
  response_status: Schema.NullOr(Schema.Int),
  /** Number of tries. */
  tries: Schema.NonNegativeInt,
  /** Reason for the failure of the latest try, and for a pause or end of deliveries to the receiver. */
  last_error: Schema.NullOr(Schema.String),
  /** Start of the latest try. */
  started_at: Schema.NullOr(Timestamp),
  /** Time of delivery or of giving up. */
  finished_at: Schema.NullOr(Timestamp),
  /** Null unless pending. */
  next_try_at: Schema.NullOr(Timestamp)
})
export type DeliveryRecord = typeof DeliveryRecord.Type

/** A page of deliveries, newest attempt first. */
export const DeliveriesPage = Schema.Struct({
  items: Schema.Array(DeliveryRecord),
  limit: Schema.Int,
  /** Value of `after` for the next page and of `before` for the previous one; null if there is none. */
  cursors: Schema.Struct({ after: Schema.NullOr(Schema.String), before: Schema.NullOr(Schema.String) })
})
export type DeliveriesPage = typeof DeliveriesPage.Type

/** Request to send the webhooks of attempts again. */
export const ResendWebhooks = Schema.Struct({
  attempt_ids: Schema.Array(AttemptId).pipe(Schema.minItems(1), Schema.maxItems(maxResends))
})
export type ResendWebhooks = typeof ResendWebhooks.Type

const dateOf = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

/** Builds the record of a webhook at `now`, in real milliseconds since 1970. */
export const deliveryRecordOf = (row: ListedWebhook, now: number): DeliveryRecord => {
  const status = deliveryStatus(row, now)
  const blockedBy = row.health.disabled_at === null ? pauseError(row.health) : disabledError
  const errors = [row.last_error, ...(status === "pending" ? [blockedBy] : [])].filter((error) => error !== null)
  return {
    attempt_id: row.attempt_id,
    status,
    url: row.url,
    response_status: row.last_status,
    tries: row.tries,
    last_error: errors.length === 0 ? null : errors.join("; "),
    started_at: dateOf(row.started_at),
    finished_at: dateOf(row.finished_at),
    next_try_at: status === "pending" ? dateOf(Math.max(claimableAt(row), row.health.paused_until)) : null
  }
}
