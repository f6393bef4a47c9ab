import Database from "better-sqlite3"
import { Data, Effect, type Scope } from "effect"
import { dirname } from "node:path"
import { isBusy } from "./Busy.js"

/** Another process works with the data. Two would undo each other's work, so the second is refused. */
export class DataFolderInUse extends Data.TaggedError("DataFolderInUse")<{ readonly folder: string }> {
  override get message() {
    return `another process uses this data folder: ${this.folder}`
  }
}

const lock = (file: string): Effect.Effect<Database.Database, DataFolderInUse> =>
  Effect.suspend(() => {
    const owner = new Database(`${file}.owner`, { timeout: 0 })
    try {
      return Effect.succeed(owner.exec("begin exclusive"))
    } catch (error) {
      owner.close()
      return isBusy(error) ? new DataFolderInUse({ folder: dirname(file) }) : Effect.die(error)
    }
  })

/**
 * Makes this process the only user of a database file until the scope ends. The lock is one of the operating system,
 * on an empty file beside the database, so it goes with the process, however that ends.
 */
export const own = (file: string): Effect.Effect<void, DataFolderInUse, Scope.Scope> =>
  Effect.asVoid(Effect.acquireRelease(lock(file), (owner) => Effect.sync(() => owner.close())))
