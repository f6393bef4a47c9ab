import { CurrentStoreWaitBudget, macroTask, StoreBusy, StoreWaitBudget } from "@trunkline/kernel"
import { type Clock, Duration, Effect, FiberRef, FiberSet, type Scope } from "effect"
import { type DatabaseAccess, DatabaseLocked } from "./Connection.js"

/** Time of polling the lock once per event loop turn, in milliseconds: most locks of other processes are brief. */
const eagerMillis = 20

/** Time up to which the lock is polled every millisecond, because other processes may leave short gaps only. */
const frequentMillis = 250

/** Polling interval after that, in milliseconds. */
const pollMillis = 10

/** Reports the access that has become available. */
type OnFree = (free: DatabaseAccess) => void

/** Waits for other processes to release the lock of the database. */
export interface LockWait {
  /**
   * Retries an attempt until the database is not locked. Dies with `StoreBusy` at the deadline, which covers all retries
   * together.
   */
  readonly retryWhileLocked: <A, E, R>(attempt: Effect.Effect<A | DatabaseLocked, E, R>) => Effect.Effect<A, E, R>
  /** Number of waiting calls. */
  readonly waiting: () => number
}

interface Waiter {
  readonly needs: DatabaseAccess
  readonly deadline: number
  readonly resume: (isFree: boolean) => void
}

/**
 * Makes a `LockWait`. One fiber polls the lock for all waiting calls. Each call has its own deadline, so that waits do not
 * add up, and calls resume in the order of arrival.
 *
 * `probe` tries to lock the database, and calls `onFree` while it holds the lock.
 */
export const makeLockWait = (
  { clock, probe }: { readonly clock: Clock.Clock; readonly probe: (onFree: OnFree) => Effect.Effect<void> }
): Effect.Effect<LockWait, never, Scope.Scope> =>
  Effect.gen(function*() {
    const background = yield* FiberSet.makeRuntime<never>()
    const waiting = new Set<Waiter>()
    let isWatching = false

    const now = () => Number(clock.unsafeCurrentTimeNanos()) / 1e6

    const resume = (which: (waiter: Waiter) => boolean, isFree: boolean): number => {
      const chosenWaiters = [...waiting].filter(which)
      for (const waiter of chosenWaiters) {
        waiting.delete(waiter)
        waiter.resume(isFree)
      }
      return chosenWaiters.length
    }

    const onFree: OnFree = (free) => void resume(({ needs }) => free === "writing" || needs === free, true)
    /** After a defect of the probe every call resumes, and meets the error itself. */
    const poll = Effect.catchAllDefect(probe(onFree), () => Effect.sync(() => onFree("writing")))

    /** Pause before the next poll, which ends at the next deadline at the latest. */
    const pause = (since: number) => {
      const at = now()
      const remaining = Math.min(...[...waiting].map(({ deadline }) => Math.ceil(deadline - at)))
      if (remaining <= 0 || at - since < eagerMillis) return macroTask
      return clock.sleep(Duration.millis(Math.min(remaining, at - since < frequentMillis ? 1 : pollMillis)))
    }

    const watch = Effect.gen(function*() {
      const since = now()
      let isReported = false
      for (;;) {
        isWatching = waiting.size > 0
        if (!isWatching) return
        yield* pause(since)
        const at = now()
        const timeouts = resume(({ deadline }) => deadline <= at, false)
        if (timeouts > 0 && !isReported) {
          isReported = true
          yield* Effect.logWarning("Another process keeps the database locked; calls that need it fail with StoreBusy")
        }
        if (waiting.size > 0) yield* poll
      }
    }).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          isWatching = false
          resume(() => true, false)
        })
      )
    )

    const awaitFree = (needs: DatabaseAccess, deadline: number) =>
      Effect.async<boolean>((callback) => {
        const waiter: Waiter = { needs, deadline, resume: (isFree) => callback(Effect.succeed(isFree)) }
        waiting.add(waiter)
        if (!isWatching) {
          isWatching = true
          background(watch)
        }
        return Effect.sync(() => void waiting.delete(waiter))
      })

    /** Completes once the database seems available for an access; dies at the deadline. */
    const wait = (needs: DatabaseAccess, deadline: number, timeout: StoreWaitBudget) =>
      Effect.flatMap(
        Effect.suspend(() => now() < deadline ? awaitFree(needs, deadline) : Effect.succeed(false)),
        (isFree) => {
          timeout.spend(deadline, now())
          return isFree ? Effect.void : Effect.die(new StoreBusy())
        }
      )

    const retryWhileLocked = <A, E, R>(attempt: Effect.Effect<A | DatabaseLocked, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const began = now()
        return Effect.flatMap(attempt, (answer) =>
          answer instanceof DatabaseLocked
            ? Effect.flatMap(FiberRef.get(CurrentStoreWaitBudget), (current) => {
              const timeout = current ?? new StoreWaitBudget()
              const deadline = timeout.deadline(began)
              const again = ({ needs }: DatabaseLocked): Effect.Effect<A, E, R> =>
                Effect.flatMap(
                  Effect.zipRight(wait(needs, deadline, timeout), attempt),
                  (answer) => answer instanceof DatabaseLocked ? again(answer) : Effect.succeed(answer)
                )
              return again(answer)
            })
            : Effect.succeed(answer))
      })

    return { retryWhileLocked, waiting: () => waiting.size }
  })
