import { NoPicture } from "@trunkline/charts"
import { Deferred, type Duration, Effect, Exit, FiberHandle, FiberId, type Scope } from "effect"
import type { DrawingThread, ThreadBroke } from "./DrawingThread.js"
import type { Answer, DrawRequest } from "./Messages.js"

/** Draws charts, one after the other. */
export interface Drawings {
  /**
   * Equal requests of one time are drawn once. Fails with `busy` when too many wait, or when it waited too long for
   * others, and with `unavailable` when it takes too long by itself, and when the thread breaks.
   */
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

/** A picture that is being drawn or waits for it, with how many want it. */
interface Flight {
  wanted: number
  /** Whether others were before it. */
  readonly waits: boolean
  readonly picture: Deferred.Deferred<Uint8Array, NoPicture>
}

const busy = (message: string) => new NoPicture({ kind: "busy", message })

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

    const flights = new Map<string, Flight>()

    /** Whoever asks after that flies anew. */
    const leave = (key: string, flight: Flight) => {
      if (flights.get(key) === flight) flights.delete(key)
    }

    /** Draws in its turn, if somebody still wants it then. */
    const turnOf = (key: string, request: DrawRequest, flight: Flight) =>
      turns.withPermits(1)(Effect.suspend(() => {
        if (flight.wanted > 0) return drawn(request)
        leave(key, flight)
        return Effect.interrupt
      }))

    const join = (flight: Flight) =>
      Effect.sync(() => {
        flight.wanted += 1
        return flight
      })

    const fly = (key: string, request: DrawRequest): Effect.Effect<Flight, NoPicture> =>
      Effect.suspend(() => {
        if (flights.size > waiting) return busy("Too many charts are being drawn: try again later")
        const flight: Flight = { wanted: 1, waits: flights.size > 0, picture: Deferred.unsafeMake(FiberId.none) }
        flights.set(key, flight)
        return Effect.interruptible(turnOf(key, request, flight)).pipe(
          Effect.onExit((exit) =>
            Effect.zipRight(
              Effect.sync(() => leave(key, flight)),
              Deferred.done(flight.picture, Exit.isInterrupted(exit) ? Exit.fail(noMore) : exit)
            )
          ),
          Effect.forkIn(scope),
          Effect.as(flight)
        )
      })

    const await_ = ({ picture, waits }: Flight) =>
      Effect.timeoutFail(Deferred.await(picture), {
        duration: limit,
        onTimeout: () => waits ? waitedTooLong : tooLong
      })

    return {
      draw: (request) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function*() {
            const key = JSON.stringify([request.format, request.chart])
            const known = flights.get(key)
            const flight = yield* known === undefined ? fly(key, request) : join(known)
            return yield* Effect.ensuring(restore(await_(flight)), Effect.sync(() => void (flight.wanted -= 1)))
          })
        )
    }
  })

const noMore = unavailable("No more charts are drawn")
const waitedTooLong = busy("The chart waited too long for others to be drawn: try again later")
const tooLong = unavailable("The chart took too long to draw")
