import { Cause, Effect, Exit, FiberSet, Option, type Scope } from "effect"
import { onTimer } from "../time/Timers.js"

/** A resource that is slow to start, does one piece of work at a time and may break, such as a thread. */
export interface Spare {
  /** Ends the resource and its current work, and waits until it is gone. */
  readonly end: Effect.Effect<void>
  /** True once the resource can never work again. */
  readonly isBroken: () => boolean
}

/** A pool that keeps idle resources for reuse. */
export interface IdlePool<S extends Spare> {
  /** Runs work with exclusive use of an idle resource, or of a new one if none is idle. */
  readonly use: <A, E>(work: (resource: S) => Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** A resource stays usable after work that completed, even with a failure. */
const isCompleted = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) || Option.isSome(Cause.failureOption(exit.cause))

/**
 * Makes a pool that starts resources on demand, keeps each for `idleMillis` after its last work, and ends them all with
 * the scope. A resource whose work is interrupted or dies is ended at once. Idle resources do not keep the process alive.
 *
 * Effect's `Pool` differs: it has a size limit, and its idle timers keep the process alive.
 */
export const makeSpares = <S extends Spare>(
  { idleMillis, start }: { readonly start: () => S; readonly idleMillis: number }
): Effect.Effect<IdlePool<S>, never, Scope.Scope> =>
  Effect.gen(function*() {
    /** Idle resources, each with the function that cancels its idle timer. */
    const idle = new Map<S, () => void>()
    const runEnd = yield* FiberSet.makeRuntime<never>()

    const take = (resource: S): S => {
      idle.get(resource)?.()
      idle.delete(resource)
      return resource
    }

    const acquire = Effect.sync(() => {
      const usable = [...idle.keys()].find((resource) => !resource.isBroken())
      return usable === undefined ? start() : take(usable)
    })

    const release = (resource: S) =>
      Effect.sync(() => {
        idle.set(resource, onTimer(idleMillis, () => void runEnd(take(resource).end), { unref: true }))
      })

    yield* Effect.addFinalizer(() =>
      Effect.forEach([...idle.keys()], (resource) => take(resource).end, { concurrency: "unbounded", discard: true })
    )

    return {
      use: (work) =>
        Effect.acquireUseRelease(
          acquire,
          work,
          (resource, exit) => isCompleted(exit) ? release(resource) : resource.end
        )
    }
  })
