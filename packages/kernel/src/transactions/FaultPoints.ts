import { Context, Effect, Exit, FiberRef } from "effect"
import { makeFairMutex } from "../concurrency/FairMutex.js"
import { CurrentUndoLog, type Transactions, type UndoLog } from "./Transactions.js"

/** A transformation of an effect that keeps its type. */
export type EffectTransform = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const identity: EffectTransform = (effect) => effect

/**
 * Named points at which a test can make the engine crash. A service looks its points up once, when it is built. Unless a
 * test provides them, each is the identity function, so that production code runs unchanged.
 *
 * A point is named after the step that has just completed, such as `claim.kept`.
 *
 * @example
 * ```ts
 * const faults = yield* FaultPoints
 * const claim = store.claim(now).pipe(faults.after("claim.kept"))
 * ```
 */
export class FaultPoints extends Context.Reference<FaultPoints>()("@trunkline/kernel/FaultPoints", {
  defaultValue: (): FaultPoints.Service => ({ after: () => identity })
}) {}

export declare namespace FaultPoints {
  /** Implementation of fault points. */
  export interface Service {
    /** The transformation of effects at this point, which may add a fault once the effect has succeeded. */
    readonly after: (point: string) => EffectTransform
  }
}

/** Transactions of one simulated process, over memory stores that outlive it. */
export interface CrashableTransactions {
  readonly transactions: Context.Tag.Service<typeof Transactions>
  /** Simulates the end of the process by rolling back open transactions. The caller stops the fibers in them. */
  readonly crash: () => void
}

/** Hooks around the transactions of a simulated process. */
export interface CrashableOptions {
  /** Called at the very moment at which a transaction commits. */
  readonly onCommit: () => void
  /** Wraps every transaction: what follows in it comes after the commit. */
  readonly around: EffectTransform
}

/**
 * Makes transactions like `Transactions.layerMemory` for a process that may crash in the middle of one. For simulations.
 */
export const crashableTransactions = ({ around, onCommit }: CrashableOptions): CrashableTransactions => {
  const mutex = makeFairMutex()
  const open = new Set<UndoLog>()

  const close = (log: UndoLog, isCommit: boolean) => {
    log.open = false
    open.delete(log)
    if (isCommit) onCommit()
    else log.undo.reverse().forEach((undo) => undo())
  }

  const withUndoLog = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const log: UndoLog = { open: true, undo: [] }
      open.add(log)
      return effect.pipe(
        Effect.locally(CurrentUndoLog, log),
        Effect.onExit((exit) => Effect.sync(() => close(log, Exit.isSuccess(exit))))
      )
    })

  const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(
      FiberRef.get(CurrentUndoLog),
      (running) => running?.open === true ? effect : around(mutex.withLock(withUndoLog(effect)))
    )

  return {
    transactions: { run, runGuarded: run, waiting: mutex.waiting, unsafeWaiting: mutex.unsafeWaiting },
    crash: () => open.forEach((log) => close(log, false))
  }
}
