import { CurrentStorePatience, macroTask, StoreBusy, StorePatience } from "@trunkline/kernel"
import { type Clock, Duration, Effect, FiberRef, FiberSet, type Scope } from "effect"
import { type Access, DatabaseLocked } from "./DatabaseLocked.js"

/** For how long the lock is looked at as often as the event loop turns, in milliseconds: others are brief as a rule. */
const eagerMillis = 20

/** For how long it is looked at every millisecond after that: others may leave short gaps only. */
const closeMillis = 250

/** The pause between looks after that, in milliseconds. */
const pauseMillis = 10

/** What has come free again. */
export type Found = (free: Access) => void

/** Waits for others that have locked the database. */
export interface LockWait {
  /**
   * Tries until the database is not locked, waiting between the tries; dies with `StoreBusy` at the deadline, which is
   * the same however often it has to wait.
   */
  readonly patiently: <A, E, R>(attempt: Effect.Effect<A | DatabaseLocked, E, R>) => Effect.Effect<A, E, R>
  /** How many wait. */
  readonly waiting: () => number
}

interface Waiter {
  readonly needs: Access
  readonly deadline: number
  readonly resume: (isFree: boolean) => void
}

/**
 * Calls that wait for the same lock: one fiber looks whether it is free, for all of them, and each has a deadline of its
 * own, so that their waits do not add up. They go on in the order in which they came.
 *
 * `look` tries to lock the database, and tells what it found while nobody can take it away again.
 */
export const makeLockWait = (
  { clock, look }: { readonly clock: Clock.Clock; readonly look: (found: Found) => Effect.Effect<void> }
): Effect.Effect<LockWait, never, Scope.Scope> =>
  Effect.gen(function*() {
    const background = yield* FiberSet.makeRuntime<never>()
    const waiting = new Set<Waiter>()
    let isWatching = false

    const now = () => Number(clock.unsafeCurrentTimeNanos()) / 1e6

    const resume = (which: (waiter: Waiter) => boolean, isFree: boolean): number => {
      const chosen = [...waiting].filter(which)
      for (const waiter of chosen) {
        waiting.delete(waiter)
        waiter.resume(isFree)
      }
      return chosen.length
    }

    const found: Found = (free) => void resume(({ needs }) => free === "writing" || needs === free, true)
    /** A look that breaks says nothing: whoever waits finds out. */
    const looking = Effect.catchAllDefect(look(found), () => Effect.sync(() => found("writing")))

    /** Until the next look; no longer than until the next deadline. */
    const rest = (since: number) => {
      const at = now()
      const left = Math.min(...[...waiting].map(({ deadline }) => Math.ceil(deadline - at)))
      if (left <= 0 || at - since < eagerMillis) return macroTask
      return clock.sleep(Duration.millis(Math.min(left, at - since < closeMillis ? 1 : pauseMillis)))
    }

    const watch = Effect.gen(function*() {
      const since = now()
      let isTold = false
      for (;;) {
        isWatching = waiting.size > 0
        if (!isWatching) return
        yield* rest(since)
        const at = now()
        const givenUp = resume(({ deadline }) => deadline <= at, false)
        if (givenUp > 0 && !isTold) {
          isTold = true
          yield* Effect.logWarning("Another process keeps the database locked: calls that need it are refused")
        }
        if (waiting.size > 0) yield* looking
      }
    }).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          isWatching = false
          resume(() => true, false)
        })
      )
    )

    const free = (needs: Access, deadline: number) =>
      Effect.async<boolean>((done) => {
        const waiter: Waiter = { needs, deadline, resume: (isFree) => done(Effect.succeed(isFree)) }
        waiting.add(waiter)
        if (!isWatching) {
          isWatching = true
          background(watch)
        }
        return Effect.sync(() => void waiting.delete(waiter))
      })

    /** Completes once the database seems free for a need; dies at the deadline. */
    const wait = (needs: Access, deadline: number, patience: StorePatience) =>
      Effect.flatMap(
        Effect.suspend(() => now() < deadline ? free(needs, deadline) : Effect.succeed(false)),
        (isFree) => {
          patience.spend(deadline, now())
          return isFree ? Effect.void : Effect.die(new StoreBusy())
        }
      )

    const patiently = <A, E, R>(attempt: Effect.Effect<A | DatabaseLocked, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const began = now()
        return Effect.flatMap(attempt, (answer) =>
          answer instanceof DatabaseLocked
            ? Effect.flatMap(FiberRef.get(CurrentStorePatience), (current) => {
              const patience = current ?? new StorePatience()
              const deadline = patience.deadline(began)
              const again = ({ needs }: DatabaseLocked): Effect.Effect<A, E, R> =>
                Effect.flatMap(
                  Effect.zipRight(wait(needs, deadline, patience), attempt),
                  (answer) => answer instanceof DatabaseLocked ? again(answer) : Effect.succeed(answer)
                )
              return again(answer)
            })
            : Effect.succeed(answer))
      })

    return { patiently, waiting: () => waiting.size }
  })
