import { Context, Effect, Exit, FiberRef, Layer } from "effect"
import { makeTurns } from "./Turns.js"
import { CurrentUndoLog, type UndoLog } from "./UndoLog.js"

/**
 * Makes several store calls one: all of them happen, or none.
 *
 * Stores join the transaction of the fiber that calls them, and a transaction inside another joins it: it has no
 * outcome of its own, so what it stored stays when the outer one catches its failure and succeeds.
 * Keep it short and never wait for the outside world inside: other writers wait.
 */
export class Transactions extends Context.Tag("@trunkline/kernel/Transactions")<Transactions, {
  /** Runs `effect` so that what it stored is kept only when it succeeds; a failure, defect or interruption undoes it. */
  readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** How many wait for their turn with the stores: a measure of how hard they are pressed. */
  readonly waiting: Effect.Effect<number>
}>() {
  /** Transactions over every `MemoryTable`, one at a time. */
  static readonly layerMemory: Layer.Layer<Transactions> = Layer.sync(Transactions, () => {
    const turns = makeTurns()
    return Transactions.of({
      run: (effect) =>
        Effect.withFiberRuntime((fiber) =>
          fiber.getFiberRef(CurrentUndoLog)?.open === true ? effect : turns.take(undoable(effect))
        ),
      waiting: turns.waiting
    })
  })
}

const undoable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      const log: UndoLog = { open: true, undo: [] }
      const open = FiberRef.set(CurrentUndoLog, log)
      return Effect.flatMap(Effect.exit(Effect.zipRight(open, restore(effect))), (exit) => {
        log.open = false
        if (Exit.isFailure(exit)) log.undo.reverse().forEach((undo) => undo())
        return Effect.zipRight(FiberRef.set(CurrentUndoLog, null), exit)
      })
    })
  )
