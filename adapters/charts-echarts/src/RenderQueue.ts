import { ChartError } from "@trunkline/charts"
import { makeWorkerPool, type WorkerCrashed } from "@trunkline/workers"
import { Deferred, Duration, Effect, Exit, FiberId, type Scope } from "effect"
import type { ChartThread, RenderRequest, Reply } from "./ChartThread.js"

/** Renders charts one after the other. */
export interface RenderQueue {
  /**
   * Renders a chart; equal requests at the same time share one rendering. Fails with `busy` when too many wait, or when it
   * waited too long for others, and with `unavailable` when rendering itself takes too long, or crashes its thread.
   */
  readonly render: (request: RenderRequest) => Effect.Effect<Uint8Array, ChartError>
}

/** Options of a render queue. */
export interface RenderQueueOptions {
  readonly start: () => ChartThread
  /** Time limit of a chart, including the wait for its turn. */
  readonly limit: Duration.DurationInput
  /** Number of charts that may wait for the one that is being rendered. */
  readonly waiting: number
  /** Time that an idle thread waits for more work before it ends. */
  readonly idle: Duration.DurationInput
}

/** A chart that is being rendered or waits for its turn. */
interface Rendering {
  /** Number of callers that wait for it. */
  callers: number
  /** True when others were before it. */
  readonly isQueued: boolean
  readonly result: Deferred.Deferred<Uint8Array, ChartError>
}

const busy = (message: string) => new ChartError({ kind: "busy", message })

const unavailable = (message: string) => new ChartError({ kind: "unavailable", message })

const closedChartError = unavailable("No more charts are drawn")
const waitedTooLong = busy("The chart waited too long for others to be drawn: try again later")
const tooLong = unavailable("The chart took too long to draw")

const bytesOf = (reply: Reply): Effect.Effect<Uint8Array, ChartError> => {
  if (reply._tag === "Rendered") return Effect.succeed(reply.bytes)
  if (reply._tag === "Unsuitable") return new ChartError({ kind: "unsuitable", message: reply.message })
  return Effect.zipRight(
    Effect.logError("A chart could not be rendered", reply.kind),
    unavailable("The chart could not be drawn")
  )
}

const onCrash = ({ kind }: WorkerCrashed) =>
  Effect.zipRight(
    Effect.logError("The thread that draws charts crashed", kind),
    unavailable("The chart could not be drawn: its thread crashed")
  )

/**
 * Renders all charts in one thread, which starts with the first chart. It ends when it is idle, takes too long, crashes, and
 * with the scope. A caller that is interrupted does not disturb a rendering that has begun; one that has not is skipped
 * when no caller waits for it any more.
 */
export const makeRenderQueue = (
  { idle, limit, start, waiting }: RenderQueueOptions
): Effect.Effect<RenderQueue, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const turns = yield* Effect.makeSemaphore(1)
    const pool = yield* makeWorkerPool({ start, idleMillis: Duration.toMillis(idle) })
    const renderings = new Map<string, Rendering>()

    const renderNow = (request: RenderRequest) =>
      pool.use((thread) => Effect.timeoutFail(thread.request(request), { duration: limit, onTimeout: () => tooLong }))
        .pipe(Effect.flatMap(bytesOf), Effect.catchTag("WorkerCrashed", onCrash))

    /** Forgets a rendering, so that equal requests render anew. */
    const forget = (key: string, rendering: Rendering) => {
      if (renderings.get(key) === rendering) renderings.delete(key)
    }

    /** Renders in turn, if a caller still waits for it then. */
    const renderInTurn = (key: string, request: RenderRequest, rendering: Rendering) =>
      turns.withPermits(1)(Effect.suspend(() => {
        if (rendering.callers > 0) return renderNow(request)
        forget(key, rendering)
        return Effect.interrupt
      }))

    const join = (rendering: Rendering) =>
      Effect.sync(() => {
        rendering.callers += 1
        return rendering
      })

    const enqueue = (key: string, request: RenderRequest): Effect.Effect<Rendering, ChartError> =>
      Effect.suspend(() => {
        if (renderings.size > waiting) return busy("Too many charts are being drawn: try again later")
        const rendering: Rendering = {
          callers: 1,
          isQueued: renderings.size > 0,
          result: Deferred.unsafeMake(FiberId.none)
        }
        renderings.set(key, rendering)
        return Effect.interruptible(renderInTurn(key, request, rendering)).pipe(
          Effect.onExit((exit) =>
            Effect.zipRight(
              Effect.sync(() => forget(key, rendering)),
              Deferred.done(rendering.result, Exit.isInterrupted(exit) ? Exit.fail(closedChartError) : exit)
            )
          ),
          Effect.forkIn(scope),
          Effect.as(rendering)
        )
      })

    const awaitResult = ({ isQueued, result }: Rendering) =>
      Effect.timeoutFail(Deferred.await(result), {
        duration: limit,
        onTimeout: () => isQueued ? waitedTooLong : tooLong
      })

    return {
      render: (request) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const key = JSON.stringify([request.format, request.size, request.chart])
            const current = renderings.get(key)
            const rendering = yield* current === undefined ? enqueue(key, request) : join(current)
            const leave = Effect.sync(() => void (rendering.callers -= 1))
            return yield* Effect.ensuring(restore(awaitResult(rendering)), leave)
          })
        )
    }
  })
