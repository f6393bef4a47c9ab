import * as HttpClient from "@effect/platform/HttpClient"
import { RequestError } from "@effect/platform/HttpClientError"
import { type HttpClientRequest, make } from "@effect/platform/HttpClientRequest"
import { redact } from "@trunkline/kernel"
import { type Clock, Duration, Effect, Predicate } from "effect"

/** Client of a collector, which knows what is on its way. */
export interface CollectorClient {
  readonly client: HttpClient.HttpClient
  /** Counts a span that is to be sent; false if it has to be dropped, since too much is on its way or the collector is away. */
  readonly takes: () => boolean
  /** True while requests are on their way. */
  readonly isSending: () => boolean
}

/** Time in which a collector that is away is tried once more, in milliseconds. */
const trialMillis = 10_000

/** Reasons for system errors, by their code. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ENOTFOUND: "the name of its host is unknown",
  EAI_AGAIN: "the name of its host could not be looked up",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ETIMEDOUT: "it did not answer in time",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer in time"
}

/** The code of a system error, which may lie behind others. */
const codeOf = (error: unknown, depth = 0): string | undefined => {
  if (!Predicate.isObject(error) || depth > 5) return undefined
  const code: unknown = Reflect.get(error, "code")
  return typeof code === "string" ? code : codeOf(Reflect.get(error, "cause"), depth + 1)
}

const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  return code === undefined ? "the request failed" : reasons[code] ?? `the request failed with ${code}`
}

/** A request without what must not be in an error. */
const withoutSecrets = ({ method, url }: HttpClientRequest): HttpClientRequest => make(method)(redact(url))

const bytesOf = ({ body }: HttpClientRequest): number =>
  body._tag === "Uint8Array" ? body.body.byteLength : body._tag === "Raw" ? body.contentLength ?? 0 : 0

const hintOf = (status: number): string =>
  status === 401 || status === 403
    ? "Check the headers of telemetry (OTEL_EXPORTER_OTLP_HEADERS)."
    : "Check the endpoint of telemetry (OTEL_EXPORTER_OTLP_ENDPOINT)."

/**
 * Makes the client of a collector from one of HTTP. A request ends after `timeout`. The first failure is logged as a warning
 * that says why and what to do, the others are not, and the recovery is logged again. Errors hold no headers and no body.
 */
export const makeCollectorClient = (
  http: HttpClient.HttpClient,
  { clock, maxBytes, maxSpans, timeout, url }: {
    readonly url: string
    readonly timeout: Duration.DurationInput
    readonly clock: Clock.Clock
    /** Most bytes on their way. */
    readonly maxBytes: number
    /** Most spans for the trial of a collector that is away. */
    readonly maxSpans: number
  }
): CollectorClient => {
  const shownUrl = redact(new URL(url).origin)
  const seconds = Duration.toSeconds(timeout)
  let bytes = 0
  let isAway = false
  let trialAt = Number.NEGATIVE_INFINITY
  let attempts = 0

  const takes = (): boolean => {
    if (bytes > maxBytes) return false
    if (!isAway) return true
    const now = clock.unsafeCurrentTimeMillis()
    if (now - trialAt >= trialMillis) {
      trialAt = now
      attempts = 0
    }
    attempts += 1
    return attempts <= maxSpans
  }

  const tell = (reason: string, hint: string) =>
    Effect.suspend(() => {
      if (isAway) return Effect.void
      isAway = true
      return Effect.logWarning(
        `Traces cannot be sent to ${shownUrl}: ${reason}. They are dropped until it takes them. ${hint}`
      )
    })
  const tellAgain = Effect.suspend(() => {
    if (!isAway) return Effect.void
    isAway = false
    return Effect.logInfo(`Traces are sent to ${shownUrl} again`)
  })

  const client = HttpClient.transform(http, (response, request) =>
    Effect.suspend(() => {
      const size = bytesOf(request)
      bytes += size
      const plain = (reason: string) =>
        new RequestError({
          request: withoutSecrets(request),
          reason: "Transport",
          description: reason
        })
      return response.pipe(
        // Its text is read, so that the connection can be used again.
        Effect.tap((response) => Effect.ignore(response.text)),
        Effect.timeoutFail({ duration: timeout, onTimeout: () => ({ code: "TIMEOUT" }) }),
        Effect.matchEffect({
          onFailure: (error) => {
            const reason = codeOf(error) === "TIMEOUT" ? `it did not answer in ${seconds} seconds` : reasonOf(error)
            return Effect.zipRight(tell(reason, hintOf(0)), Effect.fail(plain(reason)))
          },
          onSuccess: (response) =>
            Effect.as(
              response.status < 300
                ? tellAgain
                : tell(`it answered with the status ${response.status}`, hintOf(response.status)),
              response
            )
        }),
        Effect.ensuring(Effect.sync(() => {
          bytes -= size
        }))
      )
    }))

  return { client, takes, isSending: () => bytes > 0 }
}
