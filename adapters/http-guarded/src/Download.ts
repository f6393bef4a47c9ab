import { Duration, Effect, type Either, Option, Schema, type Scope, Stream } from "effect"
import { type Dispatcher, request } from "undici/index.js"
import { answerBody, BodyExceeds, exceeds, isDecodable } from "./AnswerBody.js"
import { failureReason } from "./FailureReason.js"
import { AddressRefused } from "./GuardedConnector.js"
import { parseUrl } from "./GuardedUrl.js"

/** The bytes could not be fetched whole; what arrived before is of no use. */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  /**
   * `refused`: the URL, where it leads, or the form of the answer is not accepted. `network`: no connection, or the
   * answer broke. `status`: the answer was not 200.
   */
  kind: Schema.Literal("refused", "network", "status", "too_large", "too_slow"),
  /** What went wrong, fit for a log and for the caller: never the URL, a header or the body. */
  reason: Schema.String
}) {}

/** What to fetch, and how much of it to take at most. */
export interface DownloadRequest {
  readonly url: string
  /** Sent to the URL's own origin only: a redirect that leaves it goes on without them. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, both as they arrive and decompressed; default 100 MB. */
  readonly maxBytes?: number
  /** From the call to the last byte; default 10 minutes. */
  readonly totalTime?: Duration.Duration
  /** Between two pieces of the body, and from the call to the first, redirects included; default 30 s. */
  readonly idleTime?: Duration.Duration
  /** Default 3; `0` makes a redirect a failure. */
  readonly maxRedirects?: number
}

/** Decisions 12. */
const defaultMaxBytes = 100 * 1024 * 1024
const defaultTotalTime = Duration.minutes(10)
const defaultIdleTime = Duration.seconds(30)
const defaultMaxRedirects = 3

/** The statuses that ask for another GET elsewhere (RFC 9110, 15.4). */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface Source {
  readonly agent: Dispatcher
  readonly check: (url: string) => Either.Either<URL, string>
}

type Answer = Dispatcher.ResponseData

interface Hop extends Required<Pick<DownloadRequest, "headers" | "maxRedirects">> {
  /** Checked. */
  readonly url: URL
}

const headerText = (answer: Answer, name: string): string => {
  const value = answer.headers[name]
  return Array.isArray(value) ? value.join(", ") : value ?? ""
}

const encodingOf = (answer: Answer): string => headerText(answer, "content-encoding").trim().toLowerCase()

const refused = (reason: string) => new DownloadFailed({ kind: "refused", reason })

const failed = (error: unknown): DownloadFailed => {
  if (error instanceof BodyExceeds) return new DownloadFailed({ kind: "too_large", reason: error.reason })
  const kind = error instanceof AddressRefused ? "refused" : "network"
  return new DownloadFailed({ kind, reason: failureReason(error) })
}

/** Breaks the connection unless the answer was read to its end. */
const letGo = ({ body }: Answer): Effect.Effect<void> => Effect.sync(() => void body.on("error", () => {}).destroy())

const ask = (source: Source, { headers, url }: Hop): Effect.Effect<Answer, DownloadFailed, Scope.Scope> => {
  const identity = { ...headers, "accept-encoding": "identity" }
  return Effect.uninterruptibleMask((restore) =>
    restore(Effect.tryPromise({
      try: (signal) => request(url, { dispatcher: source.agent, signal, headers: identity }),
      catch: failed
    })).pipe(
      Effect.tap((answer) => Effect.addFinalizer(() => letGo(answer)))
    )
  )
}

const follow = (source: Source, hop: Hop): Effect.Effect<Answer, DownloadFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const answer = yield* ask(source, hop)
    const location = headerText(answer, "location")
    const next = redirects.has(answer.statusCode) && location !== "" ? parseUrl(location, hop.url) : Option.none()
    if (Option.isNone(next)) return answer
    if (hop.maxRedirects === 0) return yield* refused("the answer is a redirect, which is not followed")
    yield* letGo(answer)
    const url = yield* Effect.mapError(source.check(next.value.href), refused)
    const headers = url.origin === hop.url.origin ? hop.headers : {}
    return yield* follow(source, { url, headers, maxRedirects: hop.maxRedirects - 1 })
  })

/** An answer that ends where its connection does could be cut anywhere, and nobody would know. */
const checkAnswer = (answer: Answer, maxBytes: number): Effect.Effect<void, DownloadFailed> => {
  if (answer.statusCode !== 200) {
    return Effect.fail(new DownloadFailed({ kind: "status", reason: `HTTP ${answer.statusCode}` }))
  }
  if (!isDecodable(encodingOf(answer))) {
    return Effect.fail(refused("the answer is compressed in a way that is not supported"))
  }
  const length = headerText(answer, "content-length")
  const transfer = headerText(answer, "transfer-encoding").toLowerCase()
  if (transfer === "" ? length === "" : transfer !== "chunked") {
    return Effect.fail(refused("the answer does not say where it ends"))
  }
  return Number(length) > maxBytes ? Effect.fail(failed(exceeds(maxBytes))) : Effect.void
}

/** Closing the stream leaves a piece that never comes unawaited; the answer's own scope then breaks the connection. */
const pieces = (body: AsyncIterator<Uint8Array>): Stream.Stream<Uint8Array, DownloadFailed> =>
  Stream.repeatEffectOption(
    Effect.tryPromise({ try: () => body.next(), catch: (error) => Option.some(failed(error)) }).pipe(
      Effect.flatMap((piece) => piece.done === true ? Effect.fail(Option.none()) : Effect.succeed(piece.value))
    )
  )

/** Streams the body of a GET under the request's caps; every redirect passes the same checks as the first URL. */
export const download = (source: Source) => (asked: DownloadRequest): Stream.Stream<Uint8Array, DownloadFailed> => {
  const {
    url,
    headers = {},
    maxBytes = defaultMaxBytes,
    totalTime = defaultTotalTime,
    idleTime = defaultIdleTime,
    maxRedirects = defaultMaxRedirects
  } = asked
  const tooSlow = (duration: Duration.Duration) =>
    new DownloadFailed({ kind: "too_slow", reason: `nothing came, or not all, within ${Duration.format(duration)}` })
  const body = Effect.gen(function*() {
    const checked = yield* Effect.mapError(source.check(url), refused)
    const answer = yield* follow(source, { url: checked, headers, maxRedirects })
    yield* checkAnswer(answer, maxBytes)
    return pieces(answerBody(answer.body, { encoding: encodingOf(answer), maxBytes }))
  })
  return Stream.unwrapScoped(body).pipe(
    Stream.timeoutFail(() => tooSlow(idleTime), idleTime),
    Stream.interruptWhen(Effect.delay(Effect.fail(tooSlow(totalTime)), totalTime)),
    Stream.withSpan("GuardedHttp.get")
  )
}
