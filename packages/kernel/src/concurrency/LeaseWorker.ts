import { Cause, Clock, Duration, Effect, FiberSet, Option, Queue, type Scope } from "effect"
import { describeCause, retryForever } from "./RetryForever.js"

/** A claim of items whose time has come, until the end of a lease. Times are real milliseconds since 1970. */
export interface LeaseClaim {
  readonly now: number
  readonly limit: number
  readonly leaseMillis: number
}

/** Minimum pause before checking again when other processes hold the due items. */
const minPause = Duration.millis(50)

/** Options of a worker that claims items from a store. */
export interface LeaseWorkerOptions<A> {
  /** Name of an item in log messages. */
  readonly noun: string
  /** Items processed concurrently. */
  readonly concurrency: number
  /** Duration of a lease; longer than any step of the work. */
  readonly lease: Duration.Duration
  /** Interval of checking the store for items of other processes. */
  readonly pollInterval: Duration.DurationInput
  /** Claims available items while the `running` ones are processed. */
  readonly claim: (claim: LeaseClaim, running: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<A>>
  /**
   * Time at which the next item becomes available while the `running` ones are processed, in real milliseconds since
   * 1970.
   */
  readonly next: (running: ReadonlyArray<A>) => Effect.Effect<Option.Option<number>>
  /** Processes an item. */
  readonly work: (item: A) => Effect.Effect<void>
}

/** Claims items and processes them. */
export interface LeaseWorker {
  /** Works until interrupted. */
  readonly run: Effect.Effect<never>
  /** Signals that new items may be available. */
  readonly nudge: Effect.Effect<void>
  /** Stops claiming and completes when running items have finished. */
  readonly drain: Effect.Effect<void>
}

/** Creates a worker. Closing the scope interrupts its items; another worker claims them when their leases end. */
export const makeLeaseWorker = <A>(
  { concurrency, claim, lease, next, noun, pollInterval, work }: LeaseWorkerOptions<A>
): Effect.Effect<LeaseWorker, never, Scope.Scope> =>
  Effect.gen(function*() {
    const maxPause = Duration.decode(pollInterval)
    const fibers = yield* FiberSet.make()
    const wake = yield* Queue.sliding<void>(1)
    const claiming = yield* Effect.makeSemaphore(1)
    const nudge = Effect.asVoid(Queue.offer(wake, undefined))
    const running = new Set<A>()
    let draining = false

    const start = (item: A) => {
      running.add(item)
      return work(item).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError(
            `A ${noun} was aborted; it is retried when its lease ends`,
            describeCause(Cause.die(defect))
          )
        ),
        Effect.ensuring(Effect.zipRight(
          Effect.sync(() => running.delete(item)),
          nudge
        )),
        Effect.interruptible,
        FiberSet.run(fibers)
      )
    }

    const claimAndStart = Effect.gen(function*() {
      const limit = draining ? 0 : concurrency - running.size
      if (limit === 0) return 0
      const now = yield* Clock.currentTimeMillis
      const claims = yield* claim({ now, limit, leaseMillis: Duration.toMillis(lease) }, [...running])
      yield* Effect.forEach(claims, start, { discard: true })
      return claims.length
    })

    const pause = Effect.gen(function*() {
      const due = draining || running.size >= concurrency ? Option.none() : yield* next([...running])
      const now = yield* Clock.currentTimeMillis
      const wait = Option.match(due, { onNone: () => maxPause, onSome: (at) => Duration.millis(at - now) })
      yield* Effect.timeoutOption(
        Queue.take(wake),
        Duration.clamp(wait, { minimum: minPause, maximum: maxPause })
      )
    })

    const step = Effect.flatMap(
      claiming.withPermits(1)(Effect.uninterruptible(claimAndStart)),
      (count) => count === 0 ? pause : Effect.void
    )

    return {
      run: Effect.forever(step).pipe(
        retryForever({
          message: `Failed to read the store of ${noun}s; retrying`,
          initialDelay: "1 second",
          maxDelay: "1 minute"
        })
      ),
      nudge,
      drain: Effect.zipRight(
        claiming.withPermits(1)(Effect.sync(() => {
          draining = true
        })),
        FiberSet.awaitEmpty(fibers)
      )
    }
  })
