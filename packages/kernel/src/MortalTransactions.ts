import { type Context, Effect, Exit, FiberRef } from "effect"
import type { Around } from "./FaultPoints.js"
import type { Transactions } from "./Transactions.js"
import { makeTurns } from "./Turns.js"
import { CurrentUndoLog, type UndoLog } from "./UndoLog.js"

/** The transactions of one life of a process, over memory stores that outlive it. */
export interface MortalTransactions {
  readonly transactions: Context.Tag.Service<typeof Transactions>
  /** The life is over: what a transaction has stored so far is undone. The caller sees to it that nothing runs on. */
  readonly die: () => void
}

/** What happens around the transactions of a life. */
export interface MortalOptions {
  /** Called in the very moment in which a transaction is kept. */
  readonly kept: () => void
  /** Around every transaction: what follows it comes after the commit. */
  readonly around: Around
}

/** Transactions like `Transactions.layerMemory`, of a process that may die in the middle of one. For simulations. */
export const mortalTransactions = ({ around, kept }: MortalOptions): MortalTransactions => {
  const turns = makeTurns()
  const open = new Set<UndoLog>()

  const close = (log: UndoLog, keep: boolean) => {
    log.open = false
    open.delete(log)
    if (keep) kept()
    else log.undo.reverse().forEach((undo) => undo())
  }

  const undoable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const log: UndoLog = { open: true, undo: [] }
      open.add(log)
      return effect.pipe(
        Effect.locally(CurrentUndoLog, log),
        Effect.onExit((exit) => Effect.sync(() => close(log, Exit.isSuccess(exit))))
      )
    })

  return {
    transactions: {
      run: (effect) =>
        Effect.flatMap(
          FiberRef.get(CurrentUndoLog),
          (running) => running?.open === true ? effect : around(turns.take(undoable(effect)))
        ),
      waiting: turns.waiting
    },
    die: () => open.forEach((log) => close(log, false))
  }
}
