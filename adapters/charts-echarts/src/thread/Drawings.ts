import { NoPicture } from "@trunkline/charts"
import { type Duration, Effect, Exit, Fiber, FiberHandle, type Scope } from "effect"
import type { DrawingThread, ThreadBroke } from "./DrawingThread.js"
import type { Answer, DrawRequest } from "./Messages.js"

/** Draws charts, one after the other. */
export interface Drawings {
  /** Fails with `unavailable` when too many wait, when it takes too long, and when the thread breaks. */
  readonly draw: (request: DrawRequest) => Effect.Effect<Uint8Array, NoPicture>
}

/** How charts are drawn. */
export interface DrawingsOptions {
  readonly start: () => DrawingThread
  /** How long a picture may take, waiting included. */
  readonly limit: Duration.DurationInput
  /** How many may wait for the one that is being drawn. */
  readonly waiting: number
  /** How long the thread waits for more work before it is ended. */
  readonly idle: Duration.DurationInput
}

const unavailable = (message: string) => new NoPicture({ kind: "unavailable", message })

const pictureIn = (answer: Answer): Effect.Effect<Uint8Array, NoPicture> => {
  if (answer._tag === "Drawn") return Effect.succeed(answer.bytes)
  if (answer._tag === "Unsuitable") return new NoPicture({ kind: "unsuitable", message: answer.message })
  return Effect.zipRight(
    Effect.logError("A chart could not be drawn", answer.kind),
    unavailable("The chart could not be drawn")
  )
}

const broke = ({ kind }: ThreadBroke) =>
  Effect.zipRight(
    Effect.logError("The thread that draws charts broke", kind),
    unavailable("The chart could not be drawn: its thread broke")
  )

/**
 * One thread for all charts, started by the first, ended when it is idle for long, takes too long, or breaks, and with
 * the scope. Who leaves while it draws does not disturb it; who leaves before is passed over.
 */
export const makeDrawings = (
  { idle, limit, start, waiting }: DrawingsOptions
): Effect.Effect<Drawings, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const turns = yield* Effect.makeSemaphore(1)
    let thread: DrawingThread | null = null
    let present = 0

    const end = Effect.suspend(() => {
      const ended = thread
      thread = null
      return ended === null ? Effect.void : ended.end
    })
    yield* Effect.addFinalizer(() => end)
    const rest = yield* FiberHandle.make()
    const endWhenIdle = FiberHandle.run(rest, Effect.interruptible(Effect.delay(turns.withPermits(1)(end), idle)))

    const drawn = (request: DrawRequest) =>
      Effect.suspend(() => {
        if (thread === null || thread.isBroken()) thread = start()
        return thread.draw(request)
      }).pipe(
        Effect.timeoutFail({ duration: limit, onTimeout: () => tooLong }),
        Effect.onExit((exit) => Exit.isSuccess(exit) ? endWhenIdle : end),
        Effect.flatMap(pictureIn),
        Effect.catchTag("ThreadBroke", broke)
      )

    const await_ = (fiber: Fiber.RuntimeFiber<Uint8Array, NoPicture>) =>
      Effect.flatMap(
        Fiber.await(fiber),
        (exit) => Exit.isInterrupted(exit) ? unavailable("No more charts are drawn") : exit
      ).pipe(Effect.timeoutFail({ duration: limit, onTimeout: () => tooLong }))

    return {
      draw: (request) =>
        Effect.uninterruptibleMask((restore) => {
          if (present > waiting) return unavailable("Too many charts are being drawn: try again later")
          present += 1
          let left = false
          const turn = turns.withPermits(1)(Effect.suspend(() => left ? Effect.interrupt : drawn(request)))
          return Effect.interruptible(turn).pipe(
            Effect.ensuring(Effect.sync(() => void (present -= 1))),
            Effect.forkIn(scope),
            Effect.flatMap((fiber) => restore(await_(fiber))),
            Effect.onError(() => Effect.sync(() => void (left = true)))
          )
        })
    }
  })

const tooLong = unavailable("The chart took too long to draw")
