import { CurrentRequestId, currentTraceHeaders, macroTask } from "@trunkline/kernel"
import { Channel, Chunk, Duration, Effect, FiberRef, type Scope, Stream } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { type ResponseAttempt, startAttempt } from "./Attempt.js"
import { makeConnections, type OutgoingRequest } from "./Connections.js"
import { makeGate, type ReleaseSlot } from "./Gate.js"
import { addressOf, headersOf, millisOf, type UpstreamOptions } from "./Options.js"
import { invalidResponse, oversizedResponse, type UpstreamError, type UpstreamFailure } from "./UpstreamError.js"

/** Body of a request: a form, or a value that is sent as JSON. */
export type UpstreamBody = FormData | Readonly<Record<string, unknown>>

/** An encoded body. */
interface EncodedBody {
  readonly type: string
  readonly bytes: string | Uint8Array
}

const encodeForm = async (form: FormData): Promise<EncodedBody> => {
  const wrappedResponse = new Response(form)
  return {
    type: wrappedResponse.headers.get("content-type") ?? "",
    bytes: new Uint8Array(await wrappedResponse.arrayBuffer())
  }
}

/** Encodes a body in memory, so that its length is known and it can be sent retryDelay. */
const encodeBody = (body: UpstreamBody): Effect.Effect<EncodedBody> =>
  body instanceof FormData
    ? Effect.promise(() => encodeForm(body))
    : Effect.sync(() => ({ type: "application/json", bytes: JSON.stringify(body) }))

/** A request to a server. */
export interface UpstreamRequest {
  /** Path below the base URL, such as `/audio/speech`. */
  readonly path: string
  readonly body: UpstreamBody
  /** Accepted content types, for the `Accept` header. */
  readonly accept: string
  /** Bytes of the response that are read ahead of a slow reader before the server has to wait. Default: 64 KB. */
  readonly aheadBytes?: number
}

/** A response that has begun to arrive. */
export interface UpstreamResponse {
  readonly headers: IncomingHttpHeaders
  /** The body as it arrives; it can be read once. It fails rather than ending early, and applies backpressure. */
  readonly bytes: Stream.Stream<Uint8Array, UpstreamFailure>
  /** Reads the whole body; fails if it is larger than so many bytes. */
  readonly whole: (maxBytes: number) => Effect.Effect<Uint8Array, UpstreamFailure>
  /** Calls back once nothing more arrives, because the body is whole or has failed; some of it may still be unread. */
  readonly onSettled: (listener: () => void) => void
  /** Fails because the reader cannot make sense of the response; the note is for the log and must not quote it. */
  readonly invalid: (note: string) => Effect.Effect<never, UpstreamFailure>
}

/** An upstream HTTP server. */
export interface Upstream {
  /** Takes one of the `concurrency` slots until the scope closes or the slot is released. */
  readonly slot: Effect.Effect<ReleaseSlot, UpstreamFailure, Scope.Scope>
  /**
   * Posts a request and returns with the first bytes of the response, or with its end. The connection is closed when
   * the scope closes before the whole response has arrived.
   *
   * A request is sent once more, after a delay, if nothing has arrived and another attempt may help: the connection was
   * refused or closed, or the status is 502, 503, 504, or 429 with a `Retry-After` of at most two seconds. Any other
   * status than 2xx is a failure, redirects included.
   */
  readonly post: (request: UpstreamRequest) => Effect.Effect<UpstreamResponse, UpstreamFailure, Scope.Scope>
}

/** Default of `aheadBytes`: over a second of audio. */
const defaultAheadBytes = 64 * 1024

const fail = ({ failure, note }: UpstreamError): Effect.Effect<never, UpstreamFailure> =>
  Effect.zipRight(Effect.logDebug(`${failure._tag}: ${note}`), Effect.fail(failure))

const arrival = (attempt: ResponseAttempt) => Effect.async<void>((resume) => attempt.wait(() => resume(Effect.void)))

/** Emits everything that has arrived as one chunk, as soon as something has. */
const chunksOf = (attempt: ResponseAttempt): Channel.Channel<Chunk.Chunk<Uint8Array>, unknown, UpstreamFailure> =>
  Channel.suspend(() => {
    const chunks = attempt.take()
    if (chunks.length > 0) {
      // Bytes that were read ahead can be work for more than one turn of the event loop.
      const pause = Channel.fromEffect(Effect.suspend(() => attempt.hasBytes() ? macroTask : Effect.void))
      return Channel.zipRight(Channel.write(Chunk.unsafeFromArray(chunks)), pause).pipe(
        Channel.flatMap(() => chunksOf(attempt))
      )
    }
    const outcome = attempt.outcome()
    if (outcome === "whole") return Channel.void
    return outcome === "open"
      ? Channel.flatMap(Channel.fromEffect(arrival(attempt)), () => chunksOf(attempt))
      : Channel.fromEffect(fail(outcome))
  })

const wholeBody = (
  attempt: ResponseAttempt,
  maxBytes: number,
  serverName: string
): Effect.Effect<Uint8Array, UpstreamFailure> =>
  Effect.gen(function*() {
    const chunks: Array<Uint8Array> = []
    let length = 0
    while (true) {
      for (const chunk of attempt.take()) {
        chunks.push(chunk)
        length += chunk.length
      }
      if (length > maxBytes) return yield* fail(oversizedResponse(serverName))
      if (attempt.hasBytes()) continue
      const outcome = attempt.outcome()
      if (outcome === "whole") return Buffer.concat(chunks)
      if (outcome !== "open") return yield* fail(outcome)
      yield* arrival(attempt)
    }
  })

/**
 * Makes a client of the server behind a base URL, over persistent connections that close with the scope. `who` names
 * the server in messages, such as "speech server". Timeouts run in real time, retry delays by Effect's clock. Nothing
 * that is sent to the server or comes from it is logged. Dies if the base URL is invalid.
 *
 * @example
 * const program = Effect.gen(function*() {
 *   const server = yield* makeUpstream("speech server", { baseUrl: "http://127.0.0.1:8000/v1" })
 *   yield* server.place
 *   const response = yield* server.post({ path: "/audio/speech", accept: "audio/*", body: { input: "Hello" } })
 *   return yield* response.whole(1_000_000)
 * })
 */
export const makeUpstream = (
  serverName: string,
  options: UpstreamOptions
): Effect.Effect<Upstream, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { concurrency = 8, keepAlive = "4 seconds", queueTimeout = "10 seconds", waiting = 64 } = options
    const base = yield* Effect.sync(() => addressOf(options.baseUrl, serverName))
    const basePath = base.pathname.replace(/\/+$/, "")
    const headers = headersOf(options)
    const millis = millisOf(options.timeouts ?? {})
    const connections = yield* makeConnections({
      origin: base.origin,
      connections: concurrency,
      connectMillis: millis.connect,
      idleMillis: Duration.toMillis(keepAlive)
    })

    // Encoding a large body takes some milliseconds: one per turn of the event loop.
    const serially = (yield* Effect.makeSemaphore(1)).withPermits(1)

    const attemptOnce = (
      request: OutgoingRequest,
      unreadBytes: number
    ): Effect.Effect<ResponseAttempt, UpstreamError, Scope.Scope> =>
      Effect.gen(function*() {
        const attempt = yield* Effect.acquireRelease(
          Effect.sync(() =>
            startAttempt(connections, request, { millis, unreadBytes, serverName, faultOf: options.faultOf })
          ),
          (attempt) => Effect.sync(attempt.cancel)
        )
        yield* arrival(attempt)
        const outcome = attempt.outcome()
        return typeof outcome === "string" || attempt.hasBytes() ? attempt : yield* Effect.fail(outcome)
      })

    const post = Effect.fnUntraced(function*({ accept, aheadBytes = defaultAheadBytes, body, path }: UpstreamRequest) {
      const requestId = yield* FiberRef.get(CurrentRequestId)
      const traceHeaders = yield* currentTraceHeaders
      const { bytes, type } = yield* serially(Effect.zipRight(macroTask, encodeBody(body)))
      const request: OutgoingRequest = {
        path: `${basePath}${path}${base.search}`,
        headers: {
          ...headers,
          accept,
          "content-type": type,
          ...(requestId !== null && { "x-request-id": requestId }),
          ...traceHeaders
        },
        body: bytes
      }
      const attempt = yield* attemptOnce(request, aheadBytes).pipe(
        Effect.catchAll((error) =>
          error.retryDelay === null
            ? Effect.fail(error)
            : Effect.delay(attemptOnce(request, aheadBytes), error.retryDelay)
        ),
        Effect.catchAll(fail)
      )
      return {
        headers: attempt.headers(),
        bytes: Stream.fromChannel(chunksOf(attempt)),
        whole: (maxBytes: number) => wholeBody(attempt, maxBytes, serverName),
        onSettled: attempt.onSettled,
        invalid: (note: string) => fail(invalidResponse(serverName, note))
      }
    })

    return { slot: makeGate(serverName, { concurrency, queueTimeout, waiting }), post }
  })
