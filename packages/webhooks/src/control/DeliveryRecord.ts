import { issueType } from "@trunkline/errors"
import { AttemptId, emptyIsAbsent, QueryInt, Timestamp } from "@trunkline/kernel"
import { DateTime, ParseResult, Schema } from "effect"
import { disabledError, pauseError } from "../outbox/EndpointHealth.js"
import type { ListedWebhook, OutboxPlace } from "../outbox/Outbox.js"
import { claimableAt, DeliveryStatus, deliveryStatus, webhookIdOf } from "../outbox/OutboxRow.js"

/** The most webhooks of a page (shapes 13). */
export const maxDeliveries = 250

/** Webhooks of a page that does not say (shapes 13). */
export const defaultDeliveries = 50

/** The most attempts that are sent again at once (shapes 13). */
export const maxResends = 200

const Place = Schema.Struct({ created_at: Schema.Int, webhook_id: Schema.String })

const cursorPattern = /^(\d{1,15})_([0-9a-f-]{36})$/

/** A place in the list, as its answers write it. What is in it is nobody's business but the list's. */
export const DeliveryCursor = Schema.transformOrFail(Schema.String, Place, {
  strict: true,
  decode: (text, _, ast) => {
    const [, at, id] = cursorPattern.exec(text) ?? []
    return at === undefined || id === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, "Must be a cursor of an earlier answer"))
      : ParseResult.succeed({ created_at: Number(at), webhook_id: webhookIdOf(AttemptId.make(id)) })
  },
  encode: (place) => ParseResult.succeed(cursorOf(place))
}).annotations({ identifier: "DeliveryCursor", ...issueType("value_error") })

/** The cursor of a webhook. */
export const cursorOf = ({ created_at, webhook_id }: OutboxPlace): string =>
  `${created_at}_${webhook_id.slice(webhookIdOf(AttemptId.make("")).length)}`

/**
 * The query parameters of a campaign's deliveries, each of which may be absent, and all but `limit` empty. The range is over the
 * moments at which attempts ended, with its start in it and its end not; `after` goes on to older webhooks, `before`
 * back to newer ones, and only one of them may be given.
 */
export const DeliveriesQuery = Schema.Struct({
  limit: Schema.optionalWith(
    QueryInt.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(maxDeliveries)),
    { default: () => defaultDeliveries }
  ),
  after: emptyIsAbsent(DeliveryCursor),
  before: emptyIsAbsent(DeliveryCursor),
  start_datetime: emptyIsAbsent(Timestamp),
  end_datetime: emptyIsAbsent(Timestamp),
  status: emptyIsAbsent(DeliveryStatus)
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

/** A webhook as the list shows it (shapes 13). Its times but those of the query's range are real time. */
export const DeliveryRecord = Schema.Struct({
  attempt_id: AttemptId,
  status: DeliveryStatus,
  url: Schema.String,
  /** The latest status answered; null when none came. */
  response_status: Schema.NullOr(Schema.Int),
  /** Tries begun. */
  tries: Schema.NonNegativeInt,
  /** Why the latest try failed, and why it waits or is given up when that is for its receiver. */
  last_error: Schema.NullOr(Schema.String),
  /** When the latest try began. */
  started_at: Schema.NullOr(Timestamp),
  /** When it was delivered or given up. */
  finished_at: Schema.NullOr(Timestamp),
  /** Null unless it is pending. */
  next_try_at: Schema.NullOr(Timestamp)
})
export type DeliveryRecord = typeof DeliveryRecord.Type

/** A page of deliveries, newest attempt first (shapes 13). */
export const DeliveriesPage = Schema.Struct({
  items: Schema.Array(DeliveryRecord),
  limit: Schema.Int,
  /** What to send as `after` for the next page and as `before` for the one before; null where there is none. */
  cursors: Schema.Struct({ after: Schema.NullOr(Schema.String), before: Schema.NullOr(Schema.String) })
})
export type DeliveriesPage = typeof DeliveriesPage.Type

/** What is sent again (shapes 13). */
export const ResendWebhooks = Schema.Struct({
  attempt_ids: Schema.Array(AttemptId).pipe(Schema.minItems(1), Schema.maxItems(maxResends))
})
export type ResendWebhooks = typeof ResendWebhooks.Type

const moment = (at: number | null) => at === null ? null : DateTime.unsafeMake(at)

/** A webhook as the list shows it at `now`, in real milliseconds since 1970. */
export const deliveryRecordOf = (row: ListedWebhook, now: number): DeliveryRecord => {
  const status = deliveryStatus(row, now)
  const waitsFor = row.health.disabled_at === null ? pauseError(row.health) : disabledError
  const errors = [row.last_error, ...(status === "pending" ? [waitsFor] : [])].filter((error) => error !== null)
  return {
    attempt_id: row.attempt_id,
    status,
    url: row.url,
    response_status: row.last_status,
    tries: row.tries,
    last_error: errors.length === 0 ? null : errors.join("; "),
    started_at: moment(row.started_at),
    finished_at: moment(row.finished_at),
    next_try_at: status === "pending" ? moment(Math.max(claimableAt(row), row.health.paused_until)) : null
  }
}
