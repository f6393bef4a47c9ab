import { StoreBusy, StoreUnavailable } from "@trunkline/kernel"
import { Clock, Data, Effect, Schedule } from "effect"
import { isConflict, isConnectionLoss, isLockTimeout, isStaleStatement } from "./PostgresErrors.js"
import { LostCommit } from "./PostgresTransactions.js"

/** The machine's clock, which the server shares more or less, whatever clock the program runs by. */
export const machineClock = Clock.make()

/** The database has undone a transaction: others stood in its way, or its connection was lost. It may be run again. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly cause: unknown }> {}

/** Pauses between the runs of a transaction that meets others: from 1 to 50 ms, half as long again each time, for 10 s. */
const pauses = Schedule.exponential("1 millis", 1.5).pipe(
  Schedule.union(Schedule.spaced("50 millis")),
  Schedule.jittered,
  Schedule.upTo("10 seconds")
)

/** Runs an attempt again by the machine's clock after each conflict; dies with `StoreBusy` when there is no end to them. */
export const retryConflicts = <A, E, R>(attempt: Effect.Effect<A | Conflict, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(attempt, (answer) => {
    if (!(answer instanceof Conflict)) return Effect.succeed(answer)
    return Effect.flatMap(Schedule.driver(pauses), (pause) => {
      const again: Effect.Effect<A, E, R> = pause.next(undefined).pipe(
        Effect.withClock(machineClock),
        Effect.catchAll(() => Effect.die(new StoreBusy())),
        Effect.zipRight(attempt),
        Effect.flatMap((answer) => answer instanceof Conflict ? again : Effect.succeed(answer))
      )
      return again
    })
  })

/** The error of a failed operation, in the terms of the stores. */
export const translate = (error: unknown): unknown =>
  isLockTimeout(error)
    ? new StoreBusy()
    : isConnectionLoss(error) || error instanceof LostCommit
    ? new StoreUnavailable()
    : error

/**
 * Checks for an error after which the same transaction may be run again, since the server has undone it. Stale statements are
 * prepared anew then, on another connection.
 */
export const isUndone = (error: unknown): boolean =>
  isConflict(error) || isConnectionLoss(error) || isStaleStatement(error)

/** The value of a promise, or a conflict with others; dies with other errors. It cannot be interrupted. */
export const orConflict = <A>(run: () => Promise<A>): Effect.Effect<A | Conflict> =>
  Effect.uninterruptible(Effect.promise(() =>
    run().catch((error: unknown) => {
      if (isUndone(error)) return new Conflict({ cause: error })
      throw translate(error)
    })
  ))
