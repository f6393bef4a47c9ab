import { Clock, Context, Duration, Effect, Layer, Random, Schema } from "effect"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { outcomeOfTry, type TryResult } from "./DeliverySchedule.js"
import { webhookHeaders } from "./Signature.js"

/** The request failed without a response: the address is not allowed, the network failed, or the request timed out. */
export class SendFailed extends Schema.TaggedError<SendFailed>()("SendFailed", {
  /** Reason for the log, without URL, headers or body. */
  reason: Schema.String
}) {}

/**
 * Sends HTTP requests to the servers of webhook receivers. `@trunkline/http-guarded` provides it with protection against
 * requests to internal addresses.
 */
export class HttpSender extends Context.Tag("@trunkline/webhooks/HttpSender")<HttpSender, {
  /** Sends a POST request and returns the response for any status; redirects are not followed. */
  readonly post: (request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
    /** Time limit from connecting to the last byte of the response. */
    readonly timeout: Duration.Duration
  }) => Effect.Effect<{ readonly status: number; readonly headers: Readonly<Record<string, string>> }, SendFailed>
}>() {
  /** Sends nothing: `post` makes the responses. */
  static readonly layerOf = (post: typeof HttpSender.Service["post"]) => Layer.succeed(HttpSender, { post })

  /** Sends nothing: every response is 204. */
  static readonly layerMemory = HttpSender.layerOf(() => Effect.succeed({ status: 204, headers: {} }))

  /** Sends nothing: every request fails with the advice as its reason. The first one logs it as a warning. */
  static readonly layerNone = (advice: string) =>
    Layer.effect(
      HttpSender,
      Effect.map(Effect.once(Effect.logWarning(advice)), (warn) => ({
        post: () => Effect.zipRight(warn, new SendFailed({ reason: advice }))
      }))
    )
}

/** Time limit of a try, from connecting to the last byte of the response. */
const tryTimeout = Duration.seconds(15)

interface Response {
  readonly status: number | null
  readonly retryAfter: string | undefined
  readonly error: string
}

const noResponse = (error: string) => Effect.succeed<Response>({ status: null, retryAfter: undefined, error })

/** Makes a function that signs a claimed webhook with the given secrets and sends it once. */
export const makeWebhookTry = ({ sender, version }: {
  readonly sender: Context.Tag.Service<typeof HttpSender>
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version: string
}) => {
  const send = (row: OutboxRow, secrets: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const { body, url, webhook_id } = row
      const now = yield* Clock.currentTimeMillis
      const headers = {
        ...(yield* webhookHeaders(secrets, { id: webhook_id, timestamp: Math.floor(now / 1000), body })),
        "content-type": "application/json",
        "user-agent": `trunkline/${version}`
      }
      return yield* sender.post({ url, headers, body, timeout: tryTimeout }).pipe(
        Effect.map(({ headers, status }): Response => ({
          status,
          retryAfter: headers["retry-after"],
          error: `HTTP ${status}`
        })),
        Effect.catchAll(({ reason }) => noResponse(reason)),
        Effect.catchAllDefect(() => noResponse("the request could not be made"))
      )
    })

  return (row: OutboxRow, secrets: ReadonlyArray<string>): Effect.Effect<TryResult> =>
    Effect.gen(function*() {
      const { error, retryAfter, status } = yield* send(row, secrets)
      const now = yield* Clock.currentTimeMillis
      const random = yield* Random.next
      const next = outcomeOfTry({ tries: row.tries, status, retryAfter, now, random })
      if (next.next === "dead" || next.next === "gone") {
        yield* Effect.logWarning(`Gave up a webhook after ${row.tries} tries: ${error}`).pipe(
          Effect.annotateLogs({ webhook_id: row.webhook_id })
        )
      }
      return { row, now, status, error: next.next === "delivered" ? null : error, next }
    })
}
