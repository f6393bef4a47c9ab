import { HttpServerResponse } from "@effect/platform"
import { describeCause, type Pull, sseComment, toSource } from "@trunkline/kernel"
import { Cause, Deferred, Effect, type Stream } from "effect"
import { makeFrameBuffer } from "./FrameBuffer.js"

/** Interval of comments on an idle stream, so that proxies do not close it. */
export const heartbeatInterval = "15 seconds"

/** Headers that stop proxies from storing, transforming or buffering a streamed response. */
export const streamingHeaders = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" }

/** Response of server-sent events. */
export const eventStreamResponse = (frames: Stream.Stream<Uint8Array>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(frames, { contentType: "text/event-stream", headers: streamingHeaders })

/** Event stream that may fail. */
interface EventStream<E> {
  readonly frames: Stream.Stream<Uint8Array, E>
  /** Frames that report a failure after the response has opened. */
  readonly failureFrames: (cause: Cause.Cause<E>) => ReadonlyArray<Uint8Array>
}

/** Logs a defect, which the client cannot be told about in any other way. */
const logDefect = <E>(cause: Cause.Cause<E>): Effect.Effect<void> =>
  Cause.isDie(cause) ? Effect.logError("An event stream failed unexpectedly", describeCause(cause)) : Effect.void

/**
 * Opens an event stream once its first frame is available, so that a failure before it becomes a response with its own
 * status. If the first frame takes longer than a heartbeat, the headers and comments are sent meanwhile, and a later
 * failure is sent as frames. Production stops when the client disconnects, and waits for a slow reader.
 */
export const openEventStream = <E>({ failureFrames, frames }: EventStream<E>) =>
  Effect.gen(function*() {
    const buffer = makeFrameBuffer()
    const opened = yield* Deferred.make<void, E>()
    let isIdle = true

    const drain = (pull: Pull<Uint8Array, E>): Effect.Effect<void, E> =>
      Effect.flatMap(pull, (chunk) => {
        if (chunk === null) return Effect.void
        if (chunk.length === 0) return drain(pull)
        isIdle = false
        Deferred.unsafeDone(opened, Effect.void)
        return Effect.zipRight(buffer.offer(chunk), drain(pull))
      })

    const source = toSource(frames)
    const write = Effect.ensuring(drain(source.pull), source.close).pipe(
      Effect.catchAllCause((cause) =>
        Effect.flatMap(Deferred.failCause(opened, cause), (isFirst) =>
          isFirst ? Effect.void : Effect.zipRight(logDefect(cause), buffer.offer(failureFrames(cause))))
      ),
      Effect.zipRight(Deferred.succeed(opened, undefined)),
      Effect.zipRight(buffer.end)
    )

    const beat: Effect.Effect<void> = Effect.suspend(() => {
      Deferred.unsafeDone(opened, Effect.void)
      const wasIdle = isIdle
      isIdle = true
      return wasIdle ? buffer.offer([sseComment]) : Effect.void
    })

    const beats = Effect.forever(Effect.zipRight(Effect.sleep(heartbeatInterval), beat))

    yield* Effect.forkScoped(Effect.interruptible(write))
    yield* Effect.forkScoped(Effect.interruptible(beats))
    yield* Deferred.await(opened)
    return eventStreamResponse(buffer.frames)
  })
