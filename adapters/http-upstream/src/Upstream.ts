import { CurrentRequestId, macroTask } from "@trunkline/kernel"
import { Channel, Chunk, Duration, Effect, FiberRef, type Scope, Stream } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { type Attempt, startAttempt } from "./Attempt.js"
import { type Body, writtenBody } from "./Body.js"
import { makeConnections, type Posted } from "./Connections.js"
import { nonsense, tooLarge, type Trouble, type UpstreamFailure } from "./failures/Trouble.js"
import { type Leave, makeGate } from "./Gate.js"
import { addressOf, headersOf, type UpstreamOptions } from "./Options.js"
import { millisOf } from "./Timeouts.js"

/** A request to a server. */
export interface UpstreamRequest {
  /** What comes after the base URL, such as `/audio/speech`. */
  readonly path: string
  readonly body: Body
  /** The content types that are welcome, for `Accept`. */
  readonly accept: string
  /** How many bytes of the answer are read ahead of a slow reader, before the server has to wait. Default: 64 KB. */
  readonly aheadBytes?: number
}

/** An answer that has begun to arrive. */
export interface UpstreamAnswer {
  readonly headers: IncomingHttpHeaders
  /** Its body as it arrives; it can be read once. It fails rather than end early; who reads slowly slows the server down. */
  readonly bytes: Stream.Stream<Uint8Array, UpstreamFailure>
  /** Its body in one, which fails where it is larger than so many bytes. */
  readonly whole: (mostBytes: number) => Effect.Effect<Uint8Array, UpstreamFailure>
  /** Calls back once nothing more arrives, since it is whole or has failed; some of it may still be unread. */
  readonly onArrived: (arrived: () => void) => void
  /** The failure of an answer that makes no sense to its reader; the note is for the log, and repeats nothing of it. */
  readonly nonsense: (note: string) => Effect.Effect<never, UpstreamFailure>
}

/** A server that works for us. */
export interface Upstream {
  /** A place among those that it works for at once, until the scope closes or it is given back. */
  readonly place: Effect.Effect<Leave, UpstreamFailure, Scope.Scope>
  /**
   * Posts, and comes back with the first bytes of the answer, or with its end. The connection breaks when the scope
   * closes before the answer has arrived whole.
   *
   * A request is sent once more, after a pause, where nothing has arrived and another try may help: the connection was
   * refused or closed, or the status is 502, 503, 504, or 429 with a `Retry-After` of at most two seconds. Every other
   * status than 2xx is a failure, redirects included.
   */
  readonly post: (request: UpstreamRequest) => Effect.Effect<UpstreamAnswer, UpstreamFailure, Scope.Scope>
}

/** What is read ahead of a reader where he says nothing of it: over a second of sound. */
const usualAhead = 64 * 1024

const fail = ({ failure, note }: Trouble): Effect.Effect<never, UpstreamFailure> =>
  Effect.zipRight(Effect.logDebug(`${failure._tag}: ${note}`), Effect.fail(failure))

const arrival = (attempt: Attempt) => Effect.async<void>((resume) => attempt.wait(() => resume(Effect.void)))

/** Shows what has arrived in one chunk, as soon as something has. */
const showing = (attempt: Attempt): Channel.Channel<Chunk.Chunk<Uint8Array>, unknown, UpstreamFailure> =>
  Channel.suspend(() => {
    const pieces = attempt.take()
    if (pieces.length > 0) {
      // What was read ahead is work for more than one turn of the event loop.
      const pause = Channel.fromEffect(Effect.suspend(() => attempt.hasPieces() ? macroTask : Effect.void))
      return Channel.zipRight(Channel.write(Chunk.unsafeFromArray(pieces)), pause).pipe(
        Channel.flatMap(() => showing(attempt))
      )
    }
    const outcome = attempt.outcome()
    if (outcome === "whole") return Channel.void
    return outcome === "open"
      ? Channel.flatMap(Channel.fromEffect(arrival(attempt)), () => showing(attempt))
      : Channel.fromEffect(fail(outcome))
  })

const gathered = (attempt: Attempt, mostBytes: number, who: string): Effect.Effect<Uint8Array, UpstreamFailure> =>
  Effect.gen(function*() {
    const pieces: Array<Uint8Array> = []
    let length = 0
    while (true) {
      for (const piece of attempt.take()) {
        pieces.push(piece)
        length += piece.length
      }
      if (length > mostBytes) return yield* fail(tooLarge(who))
      if (attempt.hasPieces()) continue
      const outcome = attempt.outcome()
      if (outcome === "whole") return Buffer.concat(pieces)
      if (outcome !== "open") return yield* fail(outcome)
      yield* arrival(attempt)
    }
  })

/**
 * A server behind a base URL, over connections that stay open between requests and close with the scope. `who` names it
 * in messages, such as "speech server". Timeouts run by the wall, pauses by Effect's clock. Nothing that goes to the
 * server or comes from it is logged. It dies when it cannot read the base URL.
 */
export const makeUpstream = (who: string, options: UpstreamOptions): Effect.Effect<Upstream, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { concurrency = 8, keepAlive = "4 seconds", patience = "10 seconds", waiting = 64 } = options
    const base = yield* Effect.sync(() => addressOf(options.baseUrl, who))
    const basePath = base.pathname.replace(/\/+$/, "")
    const headers = headersOf(options)
    const millis = millisOf(options.timeouts ?? {})
    const connections = yield* makeConnections({
      origin: base.origin,
      connections: concurrency,
      connectMillis: millis.connect,
      idleMillis: Duration.toMillis(keepAlive)
    })

    // A large body takes some milliseconds to write, so that no turn of the event loop is given to two.
    const inTurn = (yield* Effect.makeSemaphore(1)).withPermits(1)

    const begin = (posted: Posted, unreadBytes: number): Effect.Effect<Attempt, Trouble, Scope.Scope> =>
      Effect.gen(function*() {
        const attempt = yield* Effect.acquireRelease(
          Effect.sync(() => startAttempt(connections, posted, { millis, unreadBytes, who })),
          (attempt) => Effect.sync(attempt.cancel)
        )
        yield* arrival(attempt)
        const outcome = attempt.outcome()
        return typeof outcome === "string" || attempt.hasPieces() ? attempt : yield* Effect.fail(outcome)
      })

    const post = Effect.fnUntraced(function*({ accept, aheadBytes = usualAhead, body, path }: UpstreamRequest) {
      const requestId = yield* FiberRef.get(CurrentRequestId)
      const { bytes, type } = yield* inTurn(Effect.zipRight(macroTask, writtenBody(body)))
      const posted: Posted = {
        path: `${basePath}${path}${base.search}`,
        headers: { ...headers, accept, "content-type": type, ...(requestId !== null && { "x-request-id": requestId }) },
        body: bytes
      }
      const attempt = yield* begin(posted, aheadBytes).pipe(
        Effect.catchAll((trouble) =>
          trouble.again === null ? Effect.fail(trouble) : Effect.delay(begin(posted, aheadBytes), trouble.again)
        ),
        Effect.catchAll(fail)
      )
      return {
        headers: attempt.headers(),
        bytes: Stream.fromChannel(showing(attempt)),
        whole: (mostBytes: number) => gathered(attempt, mostBytes, who),
        onArrived: attempt.onSettled,
        nonsense: (note: string) => fail(nonsense(who, note))
      }
    })

    return { place: makeGate(who, { concurrency, patience, waiting }), post }
  })
