import { FiberRef, GlobalValue } from "effect"

/** What the running transaction has to undo. A closed one no longer takes part in anything. */
export interface UndoLog {
  open: boolean
  readonly undo: Array<() => void>
}

/** The transaction that this fiber runs in, or null outside of one. Child fibers are part of it. */
export const CurrentUndoLog: FiberRef.FiberRef<UndoLog | null> = GlobalValue.globalValue(
  "@trunkline/kernel/CurrentUndoLog",
  () => FiberRef.unsafeMake<UndoLog | null>(null)
)
