import { engineFault, type EngineFaults, type Hmac, makeCounter, makeHistogram, scopeKey } from "@trunkline/kernel"
import { Cause, Context, Duration, Effect, Either, Layer, Random, Schema } from "effect"
import { outcomeOfTry, type TryResult } from "../outbox/DeliverySchedule.js"
import type { OutboxRow } from "../outbox/OutboxRow.js"
import { headersOf } from "./Signature.js"

/** The request failed without a response: the address is not allowed, the network failed, or the request timed out. */
export class SendFailed extends Schema.TaggedError<SendFailed>()("SendFailed", {
  /** Reason for the log, without URL, headers or body. */
  reason: Schema.String
}) {}

/**
 * Sends HTTP requests to the servers of webhook receivers. `@trunkline/http-client` provides it with protection against
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

const tries = makeCounter({
  name: "trunkline_webhook_tries_total",
  help: "Tries of webhooks; dead is the last one, and gone an answer 410",
  labels: { result: ["delivered", "retry", "dead", "gone"] }
})

const tryDurations = makeHistogram({
  name: "trunkline_webhook_try_duration_seconds",
  help: "Tries of webhooks from their request to the end of the answer"
})

/** Result of a request. */
interface Answer {
  /** Status of the response; null if there was none. */
  readonly status: number | null
  readonly retryAfter: string | undefined
  readonly error: string
}

const noResponse = (error: string): Answer => ({ status: null, retryAfter: undefined, error })

/** Makes a function that signs a claimed webhook with the given secrets and sends it once. */
export const makeWebhookTry = ({ faults, hmac, sender, version }: {
  readonly faults: EngineFaults.Service
  readonly hmac: Context.Tag.Service<Hmac>
  readonly sender: Context.Tag.Service<typeof HttpSender>
  /** The version in `user-agent: trunkline/<version>`. */
  readonly version: string
}) => {
  const userAgent = `trunkline/${version}`

  const send = ({ body, url, webhook_id }: OutboxRow, secrets: ReadonlyArray<string>, now: number) => {
    const headers = {
      "content-type": "application/json",
      "user-agent": userAgent,
      ...headersOf(secrets, { id: webhook_id, timestamp: Math.floor(now / 1000), body }, hmac)
    }
    return Effect.matchCauseEffect(sender.post({ url, headers, body, timeout: tryTimeout }), {
      onSuccess: ({ headers, status }) =>
        Effect.succeed<Answer>({ status, retryAfter: headers["retry-after"], error: `HTTP ${status}` }),
      onFailure: answerOfCause
    })
  }

  return (row: OutboxRow, secrets: ReadonlyArray<string>): Effect.Effect<TryResult> =>
    Effect.clockWith((clock) => {
      const began = clock.unsafeCurrentTimeMillis()
      return Effect.flatMap(
        send(row, secrets, began),
        (answer) =>
          Effect.flatMap(Random.next, (random) => {
            const now = clock.unsafeCurrentTimeMillis()
            const result = resultOf(row, answer, { now, random })
            tries.add(1, { result: result.next.next })
            tryDurations.record((now - began) / 1_000)
            return isGivenUp(result) ? Effect.as(tellGivenUp(faults, row, answer), result) : Effect.succeed(result)
          })
      )
    })
}

/** The answer of a failed request; an interruption goes on. */
const answerOfCause = (cause: Cause.Cause<SendFailed>): Effect.Effect<Answer> =>
  Either.match(Cause.failureOrCause(cause), {
    onLeft: ({ reason }) => Effect.succeed(noResponse(reason)),
    onRight: (otherCause) =>
      Cause.isDie(otherCause)
        ? Effect.succeed(noResponse("the request could not be made"))
        : Effect.failCause(otherCause)
  })

const resultOf = (
  row: OutboxRow,
  { error, retryAfter, status }: Answer,
  { now, random }: { readonly now: number; readonly random: number }
): TryResult => {
  const next = outcomeOfTry({ tries: row.tries, status, retryAfter, now, random })
  return { row, now, status, error: next.next === "delivered" ? null : error, next }
}

const isGivenUp = ({ next }: TryResult): boolean => next.next === "dead" || next.next === "gone"

const tellGivenUp = (
  faults: EngineFaults.Service,
  { attempt_id, scope, tries, webhook_id }: OutboxRow,
  { error }: Answer
) => {
  const message = `Gave up a webhook after ${tries} tries: ${error}`
  return Effect.zipRight(
    Effect.annotateLogs(Effect.logWarning(message), { webhook_id }),
    faults.report(engineFault({ kind: "webhook", message, workspace: scopeKey(scope), attempt_id, webhook_id }))
  )
}
