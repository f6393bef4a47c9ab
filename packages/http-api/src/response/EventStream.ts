import { HttpServerResponse } from "@effect/platform"
import { describeCause, fiberStarter, type StartFiber, timerOf, toSource } from "@trunkline/kernel"
import { Cause, type Clock, Duration, Effect, Fiber, Scope, type Stream } from "effect"
import { makeFramePump, streamOfReader } from "./FrameReader.js"

/** Interval of comments on an idle stream, so that proxies do not close it. */
export const heartbeatInterval = "15 seconds"

const heartbeatMillis = Duration.toMillis(heartbeatInterval)

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
  Effect.logError("An event stream failed unexpectedly", describeCause(cause))

/** Calls back every heartbeat; the effect stops it. */
const startBeats = (clock: Clock.Clock, beat: () => void, run: StartFiber): Effect.Effect<void> => {
  const timer = timerOf(clock)
  if (timer === undefined) {
    return Fiber.interrupt(run(Effect.forever(Effect.zipRight(Effect.sleep(heartbeatInterval), Effect.sync(beat)))))
  }
  const next = () =>
    timer(clock.unsafeCurrentTimeMillis() + heartbeatMillis, () => {
      cancel = next()
      beat()
    })
  let cancel = next()
  return Effect.sync(() => cancel())
}

/**
 * Opens an event stream once its first frame is available, so that a failure before it becomes a response with its own
 * status. If the first frame takes longer than a heartbeat, the headers and comments are sent meanwhile, and a later
 * failure is sent as frames. Production stops when the client disconnects, and waits for a slow reader.
 */
export const openEventStream = <E>(
  { failureFrames, frames }: EventStream<E>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, Scope.Scope> =>
  Effect.flatMap(Effect.scope, (scope) =>
    Effect.flatMap(fiberStarter(), (run) =>
      Effect.clockWith((clock) => {
        const source = toSource(frames)
        const pump = makeFramePump(source, {
          run,
          onFailure: (cause) => {
            if (Cause.isDie(cause)) run(logDefect(cause))
            return failureFrames(cause)
          }
        })
        let stopBeats: Effect.Effect<void> = Effect.void
        const close = Effect.suspend(() => {
          const running = pump.stop()
          const stop = running === undefined ? stopBeats : Effect.zipRight(stopBeats, Fiber.interrupt(running))
          return Effect.zipRight(stop, source.close)
        })
        const opening = Effect.async<void, E>((resume) => {
          stopBeats = startBeats(clock, pump.beat, run)
          pump.open(resume)
        })
        return Effect.zipRight(
          Scope.addFinalizer(scope, close),
          Effect.as(opening, eventStreamResponse(streamOfReader(pump)))
        )
      })))
