import { Cause, Effect, Exit, Option, type Scope } from "effect"
import type { ImportThread } from "./ImportThread.js"

/** Lends threads. */
export interface Threads {
  /** Does some work with a thread that nobody else has meanwhile: an idle one, or else a new one. */
  readonly use: <A, E>(work: (thread: ImportThread) => Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** A thread is fit for more when its work came to an end of its own, be it a failure. */
const isOver = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) || Option.isSome(Cause.failureOption(exit.cause))

/** Threads that wait for more work before they are ended; with the scope, all of them are. */
export const makeThreads = (
  { idleMillis, start }: { readonly start: () => ImportThread; readonly idleMillis: number }
): Effect.Effect<Threads, never, Scope.Scope> =>
  Effect.gen(function*() {
    const idle = new Map<ImportThread, NodeJS.Timeout>()

    const take = (thread: ImportThread): ImportThread => {
      clearTimeout(idle.get(thread))
      idle.delete(thread)
      return thread
    }

    const lend = Effect.sync(() => {
      const fit = [...idle.keys()].find((thread) => !thread.isBroken())
      return fit === undefined ? start() : take(fit)
    })

    const rest = (thread: ImportThread) =>
      Effect.sync(() => {
        const leave = () => Effect.runFork(take(thread).end)
        idle.set(thread, setTimeout(leave, idleMillis).unref())
      })

    yield* Effect.addFinalizer(() =>
      Effect.forEach([...idle.keys()], (thread) => take(thread).end, { concurrency: "unbounded", discard: true })
    )

    return {
      use: (work) => Effect.acquireUseRelease(lend, work, (thread, exit) => isOver(exit) ? rest(thread) : thread.end)
    }
  })
