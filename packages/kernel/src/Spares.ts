import { Cause, Effect, Exit, FiberSet, Option, type Scope } from "effect"
import { onTimer } from "./Timer.js"

/** Something that takes long to start, does one piece of work at a time, and may break, such as a thread. */
export interface Spare {
  /** Ends it and whatever it is doing, and waits until it is gone. */
  readonly end: Effect.Effect<void>
  /** Whether it will never work again. */
  readonly isBroken: () => boolean
}

/** Lends spares. */
export interface Spares<S extends Spare> {
  /** Does some work with a spare that nobody else has meanwhile: an idle one, or else a new one. */
  readonly use: <A, E>(work: (spare: S) => Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** A spare is fit for more when its work came to an end of its own, be it a failure. */
const isOver = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) || Option.isSome(Cause.failureOption(exit.cause))

/**
 * Spares that wait for more work before they are ended; with the scope, all of them are. One whose work is interrupted
 * or dies is ended at once. Nothing is started before it is needed, and the process does not stay for those that wait.
 */
export const makeSpares = <S extends Spare>(
  { idleMillis, start }: { readonly start: () => S; readonly idleMillis: number }
): Effect.Effect<Spares<S>, never, Scope.Scope> =>
  Effect.gen(function*() {
    /** How to call off the end of each that waits. */
    const idle = new Map<S, () => void>()
    const ends = yield* FiberSet.makeRuntime<never>()

    const take = (spare: S): S => {
      idle.get(spare)?.()
      idle.delete(spare)
      return spare
    }

    const lend = Effect.sync(() => {
      const fit = [...idle.keys()].find((spare) => !spare.isBroken())
      return fit === undefined ? start() : take(fit)
    })

    const rest = (spare: S) =>
      Effect.sync(() => {
        idle.set(spare, onTimer(idleMillis, () => void ends(take(spare).end), "idly"))
      })

    yield* Effect.addFinalizer(() =>
      Effect.forEach([...idle.keys()], (spare) => take(spare).end, { concurrency: "unbounded", discard: true })
    )

    return {
      use: (work) => Effect.acquireUseRelease(lend, work, (spare, exit) => isOver(exit) ? rest(spare) : spare.end)
    }
  })
