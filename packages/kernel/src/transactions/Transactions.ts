import { Context, Effect, Exit, FiberRef, GlobalValue, Layer } from "effect"
import { makeFairMutex } from "../concurrency/FairMutex.js"

/** Undo steps of a running transaction. Once it is closed, changes no longer join it. */
export interface UndoLog {
  open: boolean
  readonly undo: Array<() => void>
}

/** The transaction in memory that this fiber and its children take part in; null outside of one. */
export const CurrentUndoLog: FiberRef.FiberRef<UndoLog | null> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentUndoLog",
  () => FiberRef.unsafeMake<UndoLog | null>(null)
)

/**
 * A change to state in memory, such as a queue of a store, that joins the running transaction. `change` applies it at
 * once and returns its inverse, which `Transactions.layerMemory` calls when the transaction fails, last change first.
 */
export const rollbackable = (change: () => () => void): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    const undo = change()
    const log = fiber.getFiberRef(CurrentUndoLog)
    if (log?.open === true) log.undo.push(undo)
    return Effect.void
  })

/**
 * Makes several store calls atomic: all of them take effect, or none.
 *
 * Stores join the transaction of the calling fiber. A nested transaction joins the outer one and has no outcome of its
 * own: its writes stay when the outer transaction catches its failure and succeeds. Keep transactions short and never
 * wait for the outside world in one, because other writers wait for it.
 *
 * @example
 * ```ts
 * const { run } = yield* Transactions
 * yield* run(Effect.zipRight(store.save(row), outbox.add(event)))
 * ```
 */
export class Transactions extends Context.Tag("@trunkline/kernel/Transactions")<Transactions, {
  /**
   * Runs an effect; its writes are kept only if it succeeds. A failure, defect or interruption rolls them back. The outcome
   * is as if no other transaction ran at the same time. On a database that runs them side by side, one that stands in the
   * way of others is rolled back and run again from its beginning: what it changes in memory must bear that.
   */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /**
   * Runs an effect as `run` does, but lets it see what others commit meanwhile. For frequent transactions, each of whose
   * writes checks the row that it changes: then transactions hardly ever stand in each other's way.
   */
  readonly runGuarded: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Number of transactions that wait for the stores: a measure of their load. */
  readonly waiting: Effect.Effect<number>
  /** The same number, at this moment. */
  readonly unsafeWaiting: () => number
}>() {
  /** Transactions over every `MemoryTable`, one at a time. */
  static readonly layerMemory: Layer.Layer<Transactions> = Layer.sync(Transactions, () => {
    const mutex = makeFairMutex()
    const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.withFiberRuntime((fiber) =>
        fiber.getFiberRef(CurrentUndoLog)?.open === true ? effect : mutex.withLock(withUndoLog(effect))
      )
    return Transactions.of({
      run,
      runGuarded: run,
      waiting: mutex.waiting,
      unsafeWaiting: mutex.unsafeWaiting
    })
  })
}

const withUndoLog = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) => {
    const log: UndoLog = { open: true, undo: [] }
    const open = FiberRef.set(CurrentUndoLog, log)
    return Effect.flatMap(Effect.exit(Effect.zipRight(open, restore(effect))), (exit) => {
      log.open = false
      if (Exit.isFailure(exit)) log.undo.reverse().forEach((undo) => undo())
      return Effect.zipRight(FiberRef.set(CurrentUndoLog, null), exit)
    })
  })
