import { type ExchangeFailed, statusErrorKind, type WholeResponse } from "@trunkline/http-client"
import { DialFailed, type DialPlan } from "@trunkline/telephony"
import { Duration, Effect, Either, Schema } from "effect"
import { Call, failureReason, isNotTaken, refusalCode } from "./Protocol.js"
import type { ProviderClient } from "./ProviderClient.js"

/** Result of one request to create a call. */
type CreateResult =
  | { readonly _tag: "Taken"; readonly call: Call }
  /** Certainly not dialled. */
  | { readonly _tag: "NotTaken"; readonly reason: string }
  /** Possibly dialled. */
  | { readonly _tag: "Unclear"; readonly reason: string }

const decodeCall = Schema.decodeUnknownEither(Call)

const notTaken = (reason: string): CreateResult => ({ _tag: "NotTaken", reason })
const unclear = (reason: string): CreateResult => ({ _tag: "Unclear", reason })

/** Redirects of a request that was not processed. Other redirects may follow a processed request. */
const redirectStatuses: ReadonlyArray<number> = [301, 307, 308]

/** Client errors that do not prove a refusal: gateways send them for requests that reached the provider. */
const unclearStatuses: ReadonlyArray<number> = [408, 409, 425]

/** Classifies the response to a create request (docs/carriers.md, Failures). */
const classifyResponse = ({ json, status }: Pick<WholeResponse, "json" | "status">): CreateResult => {
  if (status >= 200 && status < 300) {
    const call = decodeCall(json)
    return Either.isRight(call)
      ? { _tag: "Taken", call: call.right }
      : unclear("the response to the dial is not valid")
  }
  const code = refusalCode(json)
  const description = code === null ? `status ${status}` : code
  if (isNotTaken(json)) return notTaken(description)
  if (redirectStatuses.includes(status)) return notTaken(`redirected (status ${status})`)
  const kind = statusErrorKind(status)
  if (kind === "unauthorized") return notTaken(code ?? "the API key was rejected")
  if (kind === "rateLimited") return notTaken(code ?? "too many requests")
  if (status < 400 || status >= 500 || unclearStatuses.includes(status)) return unclear(`status ${status}`)
  return notTaken(description)
}

const classifyFailure = ({ reason, isSent, status }: ExchangeFailed): CreateResult =>
  status !== null && status >= 300
    ? classifyResponse({ status, json: undefined })
    : isSent
    ? unclear(reason)
    : notTaken(`the provider is unreachable: ${reason}`)

/** Delays between requests with the same key, in milliseconds; the last one repeats. */
const retryDelays: ReadonlyArray<number> = [100, 300, 1_000, 2_000]

/** Minimum remaining seconds for another request. */
const minimumSeconds = 0.05

const refusedError = (reason: string) => new DialFailed({ certainty: "provider", reason: failureReason(reason) })
const unknownError = (reason: string) => new DialFailed({ certainty: "unknown", reason: `unknown: ${reason}` })

/**
 * The request that creates a call. The body depends on the attempt alone, so that it is byte-identical after a restart
 * even when the configuration has changed; configured values travel in the headers.
 */
const createCallRequest = ({ attempt_id, connection, from, ringTimeout, to }: DialPlan) => ({
  path: "/calls",
  headers: {
    "idempotency-key": attempt_id,
    "ring-seconds": String(Math.max(1, Math.round(Duration.toSeconds(ringTimeout))))
  },
  body: { attempt_id, connection_id: connection.connection_id, from, to }
})

/**
 * Asks the provider to dial. Sends a single request unless the provider supports idempotency keys. With keys, an unclear
 * response is retried with the same bytes while time remains, and only a created call resolves it.
 */
export const createCall = (client: ProviderClient, plan: DialPlan): Effect.Effect<Call, DialFailed> => {
  const { dedupe, timeouts } = client.settings
  const request = createCallRequest(plan)
  const attempt = (seconds: number): Effect.Effect<CreateResult> =>
    client.request({ ...request, seconds }).pipe(
      Effect.map(classifyResponse),
      Effect.catchAll((broken) => Effect.succeed(classifyFailure(broken)))
    )

  return Effect.gen(function*() {
    const end = performance.now() + timeouts.create_seconds * 1000
    const remaining = () => (end - performance.now()) / 1000
    let last = yield* attempt(remaining())
    if (last._tag === "NotTaken") return yield* refusedError(last.reason)
    for (let repeats = 0; last._tag !== "Taken"; repeats++) {
      const pause = retryDelays[Math.min(repeats, retryDelays.length - 1)] ?? 0
      if (dedupe.kind !== "key" || remaining() - pause / 1000 < minimumSeconds) return yield* unknownError(last.reason)
      yield* Effect.sleep(pause)
      last = yield* attempt(remaining())
    }
    return last.call
  })
}
