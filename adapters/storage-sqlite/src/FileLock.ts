import Database from "better-sqlite3"
import { Effect, type Scope } from "effect"
import { isBusy } from "./Busy.js"

const lock = (path: string): Database.Database | null => {
  const database = new Database(path, { timeout: 0 })
  try {
    return database.exec("begin exclusive")
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * Locks a file, made when it is not there, until the scope ends; false when somebody else has it locked. The lock is one
 * of the operating system, so it goes with the process, however that ends.
 */
export const tryLock = (path: string): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(Effect.sync(() => lock(path)), (database) => Effect.sync(() => database?.close())),
    (database) => database !== null
  )
