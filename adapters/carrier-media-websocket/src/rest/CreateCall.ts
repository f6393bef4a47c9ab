import { retryAfter, statusErrorKind, type WholeResponse } from "@trunkline/http-client"
import { type Dedupe, DialFailed } from "@trunkline/telephony"
import { Clock, Duration, Effect } from "effect"
import type { CallToCreate, OpenLine } from "../dialects/Dialect.js"
import type { ApiClient } from "./ApiClient.js"

/** Client errors that do not prove a refusal: gateways send them for requests that reached the provider. */
const unclearStatuses: ReadonlyArray<number> = [408, 409, 425]

const dialFailure = (
  provider: string,
  reason: string,
  { retryAfter, status }: Partial<Pick<DialFailed, "status" | "retryAfter">> = {}
) =>
  new DialFailed({
    certainty: "provider",
    reason: `${provider}: ${reason}`,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(status !== undefined && { status })
  })

const unknown = (reason: string) => new DialFailed({ certainty: "unknown", reason: `unknown: ${reason}` })

/** The id of the call that was created, or why there is none (docs/providers.md); `now` is in epoch milliseconds. */
const readCreated = (
  { provider, readCallId: readId, readRefusal }: OpenLine,
  response: WholeResponse,
  now: number
): Effect.Effect<string, DialFailed> => {
  const { headers, json, status } = response
  if (status >= 200 && status < 300) {
    const id = readId(json)
    if (id !== null) return Effect.succeed(id)
    const refusal = readRefusal?.(json) ?? null
    return refusal === null
      ? unknown("the response to the dial is not valid")
      : dialFailure(provider, refusal.reason, refusal)
  }
  const rest = retryAfter(headers, now)
  const kind = statusErrorKind(status)
  if (kind === "unauthorized") return dialFailure(provider, "the credentials were rejected")
  if (kind === "rateLimited") {
    return dialFailure(provider, "too many requests", rest === null ? {} : { retryAfter: Duration.toSeconds(rest) })
  }
  if (status < 400 || status >= 500 || unclearStatuses.includes(status)) return unknown(`status ${status}`)
  const refusal = readRefusal?.(json) ?? null
  return refusal === null ? dialFailure(provider, `status ${status}`) : dialFailure(provider, refusal.reason, refusal)
}

/** Delays before the same request is sent again with its key, in milliseconds; the last one repeats. */
const retryDelays: ReadonlyArray<number> = [100, 300, 1_000, 2_000]

/** A moment in seconds, on a clock that nobody sets. */
const elapsedSeconds = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1e9)

/**
 * Asks the provider to dial. It is asked once, unless it has keys: then an unclear response is asked for again with the same
 * bytes while time is left.
 */
export const createCall = (
  { line, send }: ApiClient,
  dedupe: Dedupe,
  call: CallToCreate
): Effect.Effect<string, DialFailed> => {
  const request = line.create(call)
  const attempt = (seconds: number) =>
    send(request, seconds).pipe(
      Effect.mapError(({ isSent, reason }) =>
        isSent ? unknown(reason) : dialFailure(line.provider, `the provider is unreachable: ${reason}`)
      ),
      Effect.flatMap((response) => Effect.flatMap(Clock.currentTimeMillis, (now) => readCreated(line, response, now)))
    )
  return Effect.gen(function*() {
    const end = (yield* elapsedSeconds) + line.settings.timeouts.create_seconds
    const remaining = Effect.map(elapsedSeconds, (seconds) => end - seconds)
    for (let repeats = 0;; repeats++) {
      const result = yield* Effect.either(attempt(yield* remaining))
      if (result._tag === "Right") return result.right
      const pause = retryDelays[Math.min(repeats, retryDelays.length - 1)] ?? 0
      const isOver = result.left.certainty !== "unknown" || (yield* remaining) - pause / 1000 < 0.05
      if (dedupe._tag !== "Key" || isOver) return yield* result.left
      yield* Effect.sleep(pause)
    }
  })
}
