import { Effect, Layer } from "effect"
import { makeCallSession } from "./CallSession.js"
import { Media, type MediaOptions, MediaUnavailable } from "./Media.js"
import { monotonicMillis } from "./MonotonicClock.js"
import { makeSharedCall } from "./shared/SharedCall.js"
import { makeSharedGauges, readGauges } from "./shared/SharedGauges.js"
import { type StartThread, startThreadClient, type ThreadClient } from "./ThreadClient.js"

/** Options of the pool. */
export interface MediaPoolOptions extends MediaOptions {
  readonly start: StartThread
  /** Frames that wait for the main thread without further memory, a power of two; 4096 by default. */
  readonly frames?: number
}

/** Time limit of closing a call: a thread that hangs must not keep its calls from ending. */
const maxCloseTime = "2 seconds"

/**
 * Sound of calls in a worker thread, which starts with the layer and ends with it. When it crashes, its calls are dead, and
 * the next call gets a new thread.
 */
export const layerMediaPool = (
  { deadAfterMillis = 20_000, frames, ports = { from: 16_384, to: 32_767 }, start: startThread }: MediaPoolOptions
): Layer.Layer<Media> =>
  Layer.scoped(
    Media,
    Effect.gen(function*() {
      const gauges = makeSharedGauges()
      let lastCall = 0

      const start = (): ThreadClient =>
        startThreadClient(startThread, {
          settings: { gauges, ports },
          frames,
          onCrash: (client) => {
            if (running === client) running = null
          }
        })
      let running: ThreadClient | null = start()
      yield* Effect.addFinalizer(() => Effect.promise(async () => running?.terminate()))

      return Media.of({
        open: (options) =>
          Effect.gen(function*() {
            const { ask, hold, post, sessions } = running ??= start()
            const { address, family } = options
            const call = ++lastCall
            const sharedCall = makeSharedCall()
            yield* hold
            yield* Effect.addFinalizer(() => {
              sessions.get(call)?.end()
              sessions.delete(call)
              const closing = Effect.interruptible(ask({ _tag: "Close", call }))
              return Effect.ignore(Effect.timeout(closing, maxCloseTime))
            })
            const reply = yield* Effect.catchTag(
              ask({ _tag: "Open", call, address, family, shared: sharedCall }),
              "WorkerCrashed",
              ({ kind }) => new MediaUnavailable({ reason: "no_thread", detail: kind })
            )
            if (reply._tag === "NotOpened") {
              return yield* new MediaUnavailable({ reason: reply.reason, detail: reply.detail })
            }
            if (reply._tag !== "Opened") {
              return yield* new MediaUnavailable({ reason: "no_thread", detail: reply._tag })
            }
            const callSession = yield* makeCallSession({
              ...options,
              call,
              port: reply.port,
              shared: sharedCall,
              deadAfterMillis,
              post
            })
            sessions.set(call, callSession)
            return callSession.session
          }),
        gauges: () => ({ calls: running?.sessions.size ?? 0, ...readGauges(gauges, monotonicMillis()) })
      })
    })
  )
