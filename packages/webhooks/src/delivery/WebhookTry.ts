import { Clock, type Context, Duration, Effect, Random } from "effect"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { verdict } from "./DeliverySchedule.js"
import type { HttpSender } from "./HttpSender.js"
import { webhookHeaders } from "./Signature.js"
import type { TryResult } from "./TryResult.js"

/** From connect to the last byte of the answer (decisions 9). */
const tryTimeout = Duration.seconds(15)

interface Answer {
  readonly status: number | null
  readonly retryAfter: string | undefined
  readonly error: string
}

const noAnswer = (error: string) => Effect.succeed<Answer>({ status: null, retryAfter: undefined, error })

/** Makes the effect of one try of a claimed webhook: it is signed with the secrets and sent. */
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
        Effect.map(({ headers, status }): Answer => ({
          status,
          retryAfter: headers["retry-after"],
          error: `HTTP ${status}`
        })),
        Effect.catchAll(({ reason }) => noAnswer(reason)),
        Effect.catchAllDefect(() => noAnswer("the request could not be made"))
      )
    })

  return (row: OutboxRow, secrets: ReadonlyArray<string>): Effect.Effect<TryResult> =>
    Effect.gen(function*() {
      const { error, retryAfter, status } = yield* send(row, secrets)
      const now = yield* Clock.currentTimeMillis
      const random = yield* Random.next
      const next = verdict({ tries: row.tries, status, retryAfter, now, random })
      if (next.next === "dead" || next.next === "gone") {
        yield* Effect.logWarning(`A webhook is given up after ${row.tries} tries: ${error}`).pipe(
          Effect.annotateLogs({ webhook_id: row.webhook_id })
        )
      }
      return { row, now, status, error: next.next === "delivered" ? null : error, next }
    })
}
