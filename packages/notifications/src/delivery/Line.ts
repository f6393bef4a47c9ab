import { describeCause, steadily } from "@trunkline/kernel"
import { Cause, Clock, Duration, Effect, FiberSet, Option, Queue, type Scope } from "effect"
import type { Claim } from "../schedule/NotificationStore.js"

/** How long whoever takes work keeps it to itself (design: boards 6): longer than any step of it takes. */
export const LEASE = Duration.minutes(5)

/** The least pause before looking again, when others hold what is due. */
const shortestPause = Duration.millis(50)

/** Work that is taken from a store, several pieces at once. */
export interface LineOptions<A> {
  /** What log lines call a piece. */
  readonly noun: string
  readonly atOnce: number
  /** How long the store may go unlooked at, so that what other processes put in is found. */
  readonly pollInterval: Duration.DurationInput
  /** Takes what may be taken while the `running` are worked on. */
  readonly claim: (claim: Claim, running: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<A>>
  /** When the next piece can be taken while the `running` are worked on, in real milliseconds since 1970. */
  readonly next: (running: ReadonlyArray<A>) => Effect.Effect<Option.Option<number>>
  readonly work: (piece: A) => Effect.Effect<void>
}

/** Takes work and does it. */
export interface Line {
  /** Works until it is interrupted. */
  readonly run: Effect.Effect<never>
  /** Says that there may be something new. */
  readonly nudge: Effect.Effect<void>
  /** Takes nothing more, and completes when what runs has ended. */
  readonly drain: Effect.Effect<void>
}

/** Makes a line; what it does is interrupted when the scope closes, and taken up by somebody when the lease ends. */
export const makeLine = <A>(
  { atOnce, claim, next, noun, pollInterval, work }: LineOptions<A>
): Effect.Effect<Line, never, Scope.Scope> =>
  Effect.gen(function*() {
    const longest = Duration.decode(pollInterval)
    const pieces = yield* FiberSet.make()
    const wake = yield* Queue.sliding<void>(1)
    const claiming = yield* Effect.makeSemaphore(1)
    const nudge = Effect.asVoid(Queue.offer(wake, undefined))
    const running = new Set<A>()
    let draining = false

    const start = (piece: A) => {
      running.add(piece)
      return work(piece).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError(
            `A ${noun} did not come to an end; it is taken up when its lease ends`,
            describeCause(Cause.die(defect))
          )
        ),
        Effect.ensuring(Effect.zipRight(
          Effect.sync(() => running.delete(piece)),
          nudge
        )),
        Effect.interruptible,
        FiberSet.run(pieces)
      )
    }

    const claimAndStart = Effect.gen(function*() {
      const limit = draining ? 0 : atOnce - running.size
      if (limit === 0) return 0
      const now = yield* Clock.currentTimeMillis
      const taken = yield* claim({ now, limit, leaseMillis: Duration.toMillis(LEASE) }, [...running])
      yield* Effect.forEach(taken, start, { discard: true })
      return taken.length
    })

    const pause = Effect.gen(function*() {
      const due = draining || running.size >= atOnce ? Option.none() : yield* next([...running])
      const now = yield* Clock.currentTimeMillis
      const wait = Option.match(due, { onNone: () => longest, onSome: (at) => Duration.millis(at - now) })
      yield* Effect.timeoutOption(
        Queue.take(wake),
        Duration.clamp(wait, { minimum: shortestPause, maximum: longest })
      )
    })

    const step = Effect.flatMap(
      claiming.withPermits(1)(Effect.uninterruptible(claimAndStart)),
      (started) => started === 0 ? pause : Effect.void
    )

    return {
      run: Effect.forever(step).pipe(
        steadily({
          message: `The store of ${noun}s cannot be read; trying again`,
          first: "1 second",
          longest: "1 minute"
        })
      ),
      nudge,
      drain: Effect.zipRight(
        claiming.withPermits(1)(Effect.sync(() => {
          draining = true
        })),
        FiberSet.awaitEmpty(pieces)
      )
    }
  })
