import { type Fence, Sql } from "@trunkline/storage-kysely"
import Database from "better-sqlite3"
import { Clock, Effect, Layer } from "effect"
import { sqliteDialect } from "./SqliteDialect.js"

/** The file name of a database that is kept nowhere. */
export const inMemory = ":memory:"

/** How long opening waits for another process that is just closing the file, in milliseconds. */
const openMillis = 5_000

/** Pages of 4 kB after which the log goes into the file: few, so that each time is short. */
const checkpointPages = 250

/** Memory for pages in KiB: what a campaign works on, so that it is not read again and again. */
const cacheKiB = 65_536

/** The time of the machine, whatever time the program runs in: other processes have no other. */
export const machineClock = Clock.make()

/** How a file is opened. */
export interface Opening {
  /**
   * What a commit waits for. `FULL`: until it is on the disk, with every commit before it. `NORMAL`: for nothing, so that
   * a power loss may undo the last ones; never half of one, nor one before a `FULL` commit of another connection.
   */
  readonly synchronous: "FULL" | "NORMAL"
  /** Whether other connections come first. */
  readonly givesWay: boolean
  /** Without which nothing is written; null for guests, who wait for their turn with whoever owns the file. */
  readonly fence: Fence | null
}

/** How an owner opens it that nobody can dispute it, and how guests do. */
const undisputed: Opening = { synchronous: "FULL", givesWay: false, fence: null }

const open = (file: string, synchronous: Opening["synchronous"]): Database.Database => {
  const database = new Database(file, { timeout: openMillis })
  database.pragma("journal_mode = WAL")
  database.pragma(`synchronous = ${synchronous}`)
  database.pragma("foreign_keys = ON")
  // What is deleted is people's data: it is overwritten where that costs no writing of its own.
  database.pragma("secure_delete = FAST")
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`)
  database.pragma(`cache_size = -${cacheKiB}`)
  // From now on `Sql` waits for other processes, and the event loop goes on meanwhile.
  database.pragma("busy_timeout = 0")
  return database.function("lower", { deterministic: true }, lower)
}

/** SQLite's own knows the letters of ASCII only. */
const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : value

/** The database in a file as it is. By default a commit is on the disk before anyone hears of it. */
export const opened = (
  file: string,
  { fence, givesWay, synchronous }: Opening = undisputed
): Layer.Layer<Sql> =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(Effect.sync(() => open(file, synchronous)), (database) =>
        Effect.sync(() => database.close())),
      (database) =>
        Sql.layer(sqliteDialect(database, { givesWay }), { fence, clock: machineClock })
    )
  )
