import { type DatabaseTooNew, migrate, Sql } from "@trunkline/storage-kysely"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { type DataFolderInUse, own } from "./Owner.js"
import { sqliteDialect } from "./SqliteDialect.js"

/** Where the database is. */
export interface SqliteOptions {
  /** A file, made with its folder when it is not there; `:memory:` keeps nothing. */
  readonly file: string
}

/** How long to wait for a lock of the file, which only a tool from outside can hold. */
const busyMillis = 50

/** Pages of 4 kB after which the log goes into the file: few, so that each time is short. */
const checkpointPages = 250

const open = (file: string): Database.Database => {
  const database = new Database(file, { timeout: busyMillis })
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.pragma("foreign_keys = ON")
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`)
  return database.function("lower", { deterministic: true }, lower)
}

/** SQLite's own knows the letters of ASCII only. */
const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : value

const inMemory = ":memory:"

/**
 * The database in a SQLite file, brought to the newest version. A commit is on the disk before anyone hears of it.
 * The file belongs to this process until the layer is closed.
 */
const layer = ({ file }: SqliteOptions): Layer.Layer<Sql, DatabaseTooNew | DataFolderInUse> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    if (file !== inMemory) {
      yield* Effect.sync(() => mkdirSync(dirname(file), { recursive: true }))
      yield* own(file)
    }
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => open(file)),
      (database) => Effect.sync(() => database.close())
    )
    return Layer.provideMerge(Layer.effectDiscard(migrate()), Sql.layer(sqliteDialect(database)))
  }))

/** `Sql` over SQLite: for what a program keeps beside the stores. */
export const SqlSqlite = { layer }
