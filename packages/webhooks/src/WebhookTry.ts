import { Clock, type Context, Duration, Effect, Random } from "effect"
import { verdict } from "./DeliverySchedule.js"
import type { HttpSender } from "./HttpSender.js"
import type { Outbox } from "./Outbox.js"
import type { OutboxRow } from "./OutboxRow.js"
import { webhookHeaders } from "./Signature.js"

/** From connect to the last byte of the answer (decisions 9). */
const tryTimeout = Duration.seconds(15)

interface TryResult {
  readonly status: number | null
  readonly retryAfter: string | undefined
  readonly error: string
}

const noAnswer = (error: string) => Effect.succeed<TryResult>({ status: null, retryAfter: undefined, error })

/** Makes the effect of one try of a claimed webhook: it is sent, and the outbox is told what came of it. */
export const makeWebhookTry = ({ outbox, sender, version }: {
  readonly outbox: Context.Tag.Service<typeof Outbox>
  readonly sender: Context.Tag.Service<typeof HttpSender>
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version: string
}) => {
  const send = Effect.fn("WebhookDelivery.send")(function*({ body, secret, url, webhook_id }: OutboxRow) {
    const now = yield* Clock.currentTimeMillis
    const headers = {
      ...(yield* webhookHeaders(secret, { id: webhook_id, timestamp: Math.floor(now / 1000), body })),
      "content-type": "application/json",
      "user-agent": `trunkline/${version}`
    }
    return yield* sender.post({ url, headers, body, timeout: tryTimeout }).pipe(
      Effect.map(({ headers, status }): TryResult => ({
        status,
        retryAfter: headers["retry-after"],
        error: `HTTP ${status}`
      })),
      Effect.catchAll(({ reason }) => noAnswer(reason)),
      Effect.catchAllDefect(() => noAnswer("the request could not be made"))
    )
  })

  return Effect.fn("WebhookDelivery.try")(function*(row: OutboxRow) {
    const { error, retryAfter, status } = yield* send(row)
    const now = yield* Clock.currentTimeMillis
    const random = yield* Random.next
    const next = verdict({ tries: row.tries, status, retryAfter, now, random })
    switch (next.next) {
      case "delivered":
        return yield* outbox.delivered(row.webhook_id, { now, status: next.status })
      case "retry":
        return yield* outbox.retryAt(row.webhook_id, { at: next.at, status, error })
      case "dead":
        yield* Effect.logWarning(`A webhook is given up after ${row.tries} tries: ${error}`)
        return yield* outbox.dead(row.webhook_id, { now, status, error })
    }
  })
}
