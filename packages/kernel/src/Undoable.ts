import { Effect } from "effect"
import { CurrentUndoLog } from "./UndoLog.js"

/**
 * A change to something that is kept in memory, such as a queue of a store. `change` makes it at once and answers what
 * undoes it; `Transactions.layerMemory` calls that when the running transaction fails, the last change first.
 */
export const undoable = (change: () => () => void): Effect.Effect<void> =>
  Effect.withFiberRuntime((fiber) => {
    const undo = change()
    const log = fiber.getFiberRef(CurrentUndoLog)
    if (log?.open === true) log.undo.push(undo)
    return Effect.void
  })
