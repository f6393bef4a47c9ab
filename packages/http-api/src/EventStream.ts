import { HttpServerResponse } from "@effect/platform"
import { describeCause, sseComment } from "@trunkline/kernel"
import { Cause, Chunk, Deferred, Effect, Schedule, Stream } from "effect"
import { makeFrameBuffer } from "./FrameBuffer.js"

/** How often a quiet stream says that it is still there, so that no proxy takes it for dead. */
export const heartbeat = "15 seconds"

/** Nothing on the way may keep, change or hold back what is streamed. */
const headers = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" }

/** Answers with server-sent events. */
export const eventStreamOf = (frames: Stream.Stream<Uint8Array>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(frames, { contentType: "text/event-stream", headers })

/** Frames that may begin with a failure, and then are none. */
interface Frames<E> {
  readonly frames: Stream.Stream<Uint8Array, E>
  /** What a stream that was opened before there was anything to show says of such a failure. */
  readonly late: (cause: Cause.Cause<E>) => ReadonlyArray<Uint8Array>
}

/** What should not have happened is logged, since nobody else will know of it. */
const reported = <E>(cause: Cause.Cause<E>): Effect.Effect<void> =>
  Cause.isDie(cause) ? Effect.logError("A request failed unexpectedly", describeCause(cause)) : Effect.void

/**
 * Answers with frames once there is the first one: a failure before it has a status of its own. Who waits longer than a
 * heartbeat for it gets the headers and comments meanwhile. The frames stop when the client leaves, and wait for one that
 * reads slowly.
 */
export const openEventStream = <E>({ frames, late }: Frames<E>) =>
  Effect.gen(function*() {
    const buffer = makeFrameBuffer()
    const begun = yield* Deferred.make<void, E>()
    let isQuiet = true

    const writing = Stream.runForEachChunk(frames, (chunk) => {
      if (Chunk.isEmpty(chunk)) return Effect.void
      isQuiet = false
      Deferred.unsafeDone(begun, Effect.void)
      return buffer.offer(chunk)
    }).pipe(
      Effect.catchAllCause((cause) =>
        Effect.flatMap(Deferred.failCause(begun, cause), (isFirst) =>
          isFirst ? Effect.void : Effect.zipRight(reported(cause), buffer.offer(late(cause))))
      ),
      Effect.zipRight(Deferred.succeed(begun, undefined)),
      Effect.zipRight(buffer.end)
    )

    const beating = Effect.suspend(() => {
      const wasQuiet = isQuiet
      isQuiet = true
      return wasQuiet ? buffer.offer([sseComment]) : Effect.void
    })

    yield* Effect.forkScoped(Effect.interruptible(writing))
    yield* Effect.timeoutOption(Deferred.await(begun), heartbeat)
    const isLate = yield* Deferred.succeed(begun, undefined)
    if (!isLate) {
      yield* Deferred.await(begun)
    }
    yield* Effect.forkScoped(Effect.interruptible(Effect.repeat(beating, Schedule.spaced(heartbeat))))
    return eventStreamOf(buffer.frames)
  })
