import { Duration, Effect, type Either, Option, Schema, type Scope, Stream } from "effect"
import { type Dispatcher, request } from "undici"
import { failureReason } from "./FailureReason.js"
import { AddressRefused } from "./GuardedConnector.js"

/** The bytes could not be fetched whole; what arrived before is of no use. */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  /** `refused`: the URL or where it leads is not allowed. `status`: the answer was not 2xx. */
  kind: Schema.Literal("refused", "network", "status", "too_large", "too_slow"),
  /** What went wrong, fit for a log: never the URL, a header or the body. */
  reason: Schema.String
}) {}

/** What to fetch, and how much of it to take at most. */
export interface DownloadRequest {
  readonly url: string
  /** Bytes; default 100 MB. */
  readonly maxBytes?: number
  /** From the call to the last byte; default 10 minutes. */
  readonly totalTime?: Duration.Duration
  /** Between two pieces of the body, and until the answer begins; default 30 s. */
  readonly idleTime?: Duration.Duration
  /** Default 3; `0` makes a redirect a failure. */
  readonly maxRedirects?: number
}

/** Decisions 12. */
const defaultMaxBytes = 100 * 1024 * 1024
const defaultTotalTime = Duration.minutes(10)
const defaultIdleTime = Duration.seconds(30)
const defaultMaxRedirects = 3

interface Source {
  readonly agent: Dispatcher
  readonly check: (url: string) => Either.Either<URL, string>
}

type Answer = Dispatcher.ResponseData

const headerText = (answer: Answer, name: string): string => {
  const value = answer.headers[name]
  return Array.isArray(value) ? value.join(", ") : value ?? ""
}

const networkFailure = (error: unknown) =>
  new DownloadFailed({
    kind: error instanceof AddressRefused ? "refused" : "network",
    reason: failureReason(error)
  })

const tooLarge = (maxBytes: number) => new DownloadFailed({ kind: "too_large", reason: `more than ${maxBytes} bytes` })

const ask = (source: Source, url: string): Effect.Effect<Answer, DownloadFailed, Scope.Scope> =>
  Effect.gen(function*() {
    const checked = yield* Effect.mapError(
      source.check(url),
      (reason) => new DownloadFailed({ kind: "refused", reason })
    )
    return yield* Effect.uninterruptibleMask((restore) =>
      restore(Effect.tryPromise({
        try: (signal) =>
          request(checked, { dispatcher: source.agent, signal, headers: { "accept-encoding": "identity" } }),
        catch: networkFailure
      })).pipe(
        Effect.tap(({ body }) => Effect.addFinalizer(() => Effect.sync(() => body.on("error", () => {}).destroy())))
      )
    )
  })

const follow = (
  source: Source,
  url: string,
  redirectsLeft: number
): Effect.Effect<Answer, DownloadFailed, Scope.Scope> =>
  Effect.flatMap(ask(source, url), (answer) => {
    const location = headerText(answer, "location")
    if (answer.statusCode >= 300 && answer.statusCode < 400 && URL.canParse(location, url)) {
      return redirectsLeft > 0
        ? follow(source, new URL(location, url).href, redirectsLeft - 1)
        : Effect.fail(new DownloadFailed({ kind: "refused", reason: "too many redirects" }))
    }
    return Effect.succeed(answer)
  })

const checkAnswer = (answer: Answer, maxBytes: number): Effect.Effect<void, DownloadFailed> => {
  if (answer.statusCode < 200 || answer.statusCode >= 300) {
    return Effect.fail(new DownloadFailed({ kind: "status", reason: `HTTP ${answer.statusCode}` }))
  }
  if (!["", "identity"].includes(headerText(answer, "content-encoding").toLowerCase())) {
    return Effect.fail(new DownloadFailed({ kind: "refused", reason: "the answer is compressed" }))
  }
  return Number(headerText(answer, "content-length")) > maxBytes ? Effect.fail(tooLarge(maxBytes)) : Effect.void
}

/** Closing the stream leaves a piece that never comes unawaited; the answer's own scope then breaks the connection. */
const pieces = (answer: Answer): Stream.Stream<Uint8Array, DownloadFailed> => {
  const iterator: AsyncIterator<Uint8Array> = answer.body[Symbol.asyncIterator]()
  return Stream.repeatEffectOption(
    Effect.tryPromise({ try: () => iterator.next(), catch: (error) => Option.some(networkFailure(error)) }).pipe(
      Effect.flatMap((piece) => piece.done === true ? Effect.fail(Option.none()) : Effect.succeed(piece.value))
    )
  )
}

const capped = (maxBytes: number) =>
  Stream.mapAccumEffect(0, (seen, piece: Uint8Array) =>
    seen + piece.byteLength > maxBytes
      ? Effect.fail(tooLarge(maxBytes))
      : Effect.succeed([seen + piece.byteLength, piece] as const))

/** Streams the body of a GET under the request's caps; every redirect passes the same checks as the first URL. */
export const download = (source: Source) => (asked: DownloadRequest): Stream.Stream<Uint8Array, DownloadFailed> => {
  const {
    url,
    maxBytes = defaultMaxBytes,
    totalTime = defaultTotalTime,
    idleTime = defaultIdleTime,
    maxRedirects = defaultMaxRedirects
  } = asked
  const tooSlow = (duration: Duration.Duration) =>
    new DownloadFailed({ kind: "too_slow", reason: `nothing came, or not all, within ${Duration.format(duration)}` })
  const body = Effect.gen(function*() {
    const answer = yield* follow(source, url, maxRedirects).pipe(
      Effect.timeoutFail({ duration: idleTime, onTimeout: () => tooSlow(idleTime) })
    )
    yield* checkAnswer(answer, maxBytes)
    return pieces(answer)
  })
  return Stream.unwrapScoped(body).pipe(
    Stream.timeoutFail(() => tooSlow(idleTime), idleTime),
    capped(maxBytes),
    Stream.interruptWhen(Effect.delay(Effect.fail(tooSlow(totalTime)), totalTime))
  )
}
