import { Data, Effect, type Scope } from "effect"
import type { Owned, WriteAnswer, WriteTask } from "./Messages.js"
import { writerSettings } from "./Schema.js"
import { WriterProcess } from "./WriterProcess.js"

/** A warehouse file cannot be written. */
export class WarehouseUnwritable extends Data.TaggedError("WarehouseUnwritable")<{
  /** SQLite's code, such as `SQLITE_FULL`; `TENANT_ISOLATION_BREACH` where the file is another workspace's. */
  readonly reason: string
}> {
  override get message() {
    return `A warehouse file cannot be written: ${this.reason}.`
  }
}

/** The reason where a file is another workspace's. */
export const breach = "TENANT_ISOLATION_BREACH"

/** Whether a file cannot be written because another process keeps it locked. */
export const isLocked = ({ reason }: WarehouseUnwritable): boolean => reason.startsWith("SQLITE_BUSY")

/**
 * Writes the files of all workspaces in a process of its own, one task after the other; those for a file that another
 * process has locked wait for 5 seconds, and keep no others waiting.
 */
export interface Writer {
  /** Does a task, once in effect, whatever happens to the process; answers where the file stands in the log then. */
  readonly ask: (owned: Owned, task: WriteTask) => Effect.Effect<number, WarehouseUnwritable>
}

const watermarkIn = (outcome: WriteAnswer["outcome"]): Effect.Effect<number, WarehouseUnwritable> => {
  if ("fault" in outcome) return new WarehouseUnwritable({ reason: "code" in outcome ? outcome.code : breach })
  return outcome.movedAway === null
    ? Effect.succeed(outcome.watermark)
    : Effect.as(
      Effect.logWarning(`A damaged warehouse file was moved away and is filled anew: ${outcome.movedAway}`),
      outcome.watermark
    )
}

/** A writer that lives as long as the scope. */
export const makeWriter: Effect.Effect<Writer, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new WriterProcess(writerSettings)),
    (process) => Effect.promise(() => process.close())
  ),
  (process): Writer => ({
    ask: (owned, task) =>
      Effect.flatMap(
        Effect.async<WriteAnswer["outcome"]>((resume) => process.ask({ ...owned, task }, resume)),
        watermarkIn
      )
  })
)
