import { currentTraceHeaders } from "@trunkline/kernel"
import { Duration, Effect, type Either, Option, Schema, type Scope, Stream } from "effect"
import { type Dispatcher, request } from "undici/index.js"
import { parseUrl } from "./AddressRules.js"
import { AddressRefused } from "./GuardedConnector.js"
import { BodyExceeds, exceeds, isDecodable, responseBody } from "./ResponseBody.js"

const reasons: Readonly<Record<string, string>> = {
  ERR_ADDRESS_REFUSED: "the host is not on the public internet",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name does not resolve at the moment",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the response are too large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response does not have its declared length"
}

const reasonsByPattern: ReadonlyArray<readonly [code: RegExp, reason: string]> = [
  [/CERT|TLS|SSL|ISSUER|UNABLE_TO_VERIFY|EPROTO/, "no secure connection could be established"],
  [/^HPE_/, "the response is not HTTP"],
  [/^Z_|^ERR__ERROR_|BROTLI/, "the compression of the response is damaged"]
]

/**
 * Describes the failure of a request for logs and delivery records. Uses only the code of the error, because messages of
 * network errors contain addresses.
 */
export const failureReason = (error: unknown): string => {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
  return reasons[code] ?? reasonsByPattern.find(([pattern]) => pattern.test(code))?.[1] ?? "the request failed"
}

/** The download did not complete; discard what arrived before. */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  /**
   * `refused`: the URL, its destination or the form of the response is not accepted. `network`: no connection, or a broken
   * response. `status`: the response is not 200. `too_large`, `too_slow`: a limit was exceeded.
   */
  kind: Schema.Literal("refused", "network", "status", "too_large", "too_slow"),
  /** Reason for logs and for the caller, without URL, headers or body. */
  reason: Schema.String
}) {}

/** URL and limits of a download. */
export interface DownloadRequest {
  readonly url: string
  /** Headers for the origin of the URL only; redirects to other origins do not get them. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Limit in bytes, both as received and decompressed; default 100 MB. */
  readonly maxBytes?: number
  /** Time limit from the call to the last byte; default 10 minutes. */
  readonly totalTime?: Duration.Duration
  /** Time limit between two chunks of the body, and from the call to the first one; default 30 seconds. */
  readonly idleTime?: Duration.Duration
  /** Largest number of redirects; default 3. With `0`, a redirect is a failure. */
  readonly maxRedirects?: number
}

const defaultMaxBytes = 100 * 1024 * 1024
const defaultTotalTime = Duration.minutes(10)
const defaultIdleTime = Duration.seconds(30)
const defaultMaxRedirects = 3

/** Statuses of redirects that are followed with GET (RFC 9110, section 15.4). */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface Source {
  readonly agent: Dispatcher
  readonly check: (url: string) => Either.Either<URL, string>
}

type Response = Dispatcher.ResponseData

interface Hop extends Required<Pick<DownloadRequest, "headers" | "maxRedirects">> {
  /** Checked URL. */
  readonly url: URL
}

/** The text of a header; empty without it. */
export const headerText = (response: Response, name: string): string => {
  const value = response.headers[name]
  return Array.isArray(value) ? value.join(", ") : value ?? ""
}

const encodingOf = (response: Response): string => headerText(response, "content-encoding").trim().toLowerCase()

const rejectionOf = (reason: string) => new DownloadFailed({ kind: "refused", reason })

/** The failure of a request or of its response. */
export const toDownloadFailed = (error: unknown): DownloadFailed => {
  if (error instanceof BodyExceeds) return new DownloadFailed({ kind: "too_large", reason: error.reason })
  const kind = error instanceof AddressRefused ? "refused" : "network"
  return new DownloadFailed({ kind, reason: failureReason(error) })
}

/** Closes the connection unless the response was read to its end. */
export const release = ({ body }: Response): Effect.Effect<void> =>
  Effect.sync(() => void body.on("error", () => {}).destroy())

const send = (source: Source, { headers, url }: Hop): Effect.Effect<Response, DownloadFailed, Scope.Scope> => {
  const identity = { ...headers, "accept-encoding": "identity" }
  return Effect.uninterruptibleMask((restore) =>
    restore(Effect.tryPromise({
      try: (signal) => request(url, { dispatcher: source.agent, signal, headers: identity }),
      catch: toDownloadFailed
    })).pipe(
      Effect.tap((response) => Effect.addFinalizer(() => release(response)))
    )
  )
}

const follow = (source: Source, hop: Hop): Effect.Effect<Response, DownloadFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const response = yield* send(source, hop)
    const location = headerText(response, "location")
    const next = redirects.has(response.statusCode) && location !== "" ? parseUrl(location, hop.url) : Option.none()
    if (Option.isNone(next)) return response
    if (hop.maxRedirects === 0) return yield* rejectionOf("the response is a redirect, which is not followed")
    yield* release(response)
    const url = yield* Effect.mapError(source.check(next.value.href), rejectionOf)
    const headers = url.origin === hop.url.origin ? hop.headers : {}
    return yield* follow(source, { url, headers, maxRedirects: hop.maxRedirects - 1 })
  })

/** Checks status, encoding and length. A response that ends with its connection could be truncated without notice. */
const checkResponse = (response: Response, maxBytes: number): Effect.Effect<void, DownloadFailed> => {
  if (response.statusCode !== 200) {
    return Effect.fail(new DownloadFailed({ kind: "status", reason: `HTTP ${response.statusCode}` }))
  }
  if (!isDecodable(encodingOf(response))) {
    return Effect.fail(rejectionOf("the content encoding of the response is not supported"))
  }
  const length = headerText(response, "content-length")
  const transfer = headerText(response, "transfer-encoding").toLowerCase()
  if (transfer === "" ? length === "" : transfer !== "chunked") {
    return Effect.fail(rejectionOf("the response does not declare its length"))
  }
  return Number(length) > maxBytes ? Effect.fail(toDownloadFailed(exceeds(maxBytes))) : Effect.void
}

/** Closing the stream does not wait for a pending chunk; the scope of the response then closes the connection. */
const streamOf = (body: AsyncIterator<Uint8Array>): Stream.Stream<Uint8Array, DownloadFailed> =>
  Stream.repeatEffectOption(
    Effect.tryPromise({ try: () => body.next(), catch: (error) => Option.some(toDownloadFailed(error)) }).pipe(
      Effect.flatMap((chunk) => chunk.done === true ? Effect.fail(Option.none()) : Effect.succeed(chunk.value))
    )
  )

/** Streams the body of a GET request within its limits. Every redirect passes the same checks as the first URL. */
export const download = (source: Source) => (options: DownloadRequest): Stream.Stream<Uint8Array, DownloadFailed> => {
  const {
    url,
    headers = {},
    maxBytes = defaultMaxBytes,
    totalTime = defaultTotalTime,
    idleTime = defaultIdleTime,
    maxRedirects = defaultMaxRedirects
  } = options
  const tooSlow = (duration: Duration.Duration) =>
    new DownloadFailed({ kind: "too_slow", reason: `the response did not arrive within ${Duration.format(duration)}` })
  const body = Effect.gen(function*() {
    const checkedUrl = yield* Effect.mapError(source.check(url), rejectionOf)
    const traceHeaders = yield* currentTraceHeaders
    const response = yield* follow(source, { url: checkedUrl, headers: { ...headers, ...traceHeaders }, maxRedirects })
    yield* checkResponse(response, maxBytes)
    return streamOf(responseBody(response.body, { encoding: encodingOf(response), maxBytes }))
  })
  return Stream.unwrapScoped(body).pipe(
    Stream.timeoutFail(() => tooSlow(idleTime), idleTime),
    Stream.interruptWhen(Effect.delay(Effect.fail(tooSlow(totalTime)), totalTime)),
    Stream.withSpan("GuardedHttp.get")
  )
}
