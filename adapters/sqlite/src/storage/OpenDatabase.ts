import { type Fence, Sql } from "@trunkline/storage-kysely"
import type Database from "better-sqlite3"
import { Clock, Effect, Layer } from "effect"
import { connect } from "./Connect.js"
import { sqliteDialect } from "./SqliteDialect.js"

/** The file name of a database in memory. */
export const inMemory = ":memory:"

/** Time that opening waits for another process that is closing the file, in milliseconds. */
const openMillis = 5_000

/** Pages of 4 kB after which the log is written back to the file: few, so that each checkpoint is short. */
const checkpointPages = 250

/** Memory for pages in KiB: enough for the working set of a campaign. */
const cacheKiB = 65_536

/** Memory for pages of a connection that gives way, in KiB: it writes in the order of the keys, so more is of no use. */
const besideCacheKiB = 8_192

/** The machine's clock, which other processes share, whatever clock the program runs by. */
export const machineClock = Clock.make()

/** Options of `openDatabase`. */
interface OpenOptions {
  /**
   * The durability of commits. `FULL` waits until the commit, with all before it, is on the disk. `NORMAL` does not wait: a
   * power loss may undo the last commits, but never part of one, nor one before a `FULL` commit of another connection.
   */
  readonly synchronous: "FULL" | "NORMAL"
  /** Pauses between transactions now and then, so that other connections get a turn. */
  readonly givesWay: boolean
  /** The right to write; null for guests, which may write beside any owner. */
  readonly fence: Fence | null
}

const defaults: OpenOptions = { synchronous: "FULL", givesWay: false, fence: null }

const open = (file: string, { givesWay, synchronous }: OpenOptions): Database.Database => {
  const database = connect(file, { timeout: openMillis })
  database.pragma("journal_mode = WAL")
  database.pragma(`synchronous = ${synchronous}`)
  database.pragma("foreign_keys = ON")
  // Deleted rows hold personal data, so they are overwritten where that costs no extra I/O.
  database.pragma("secure_delete = FAST")
  database.pragma(`wal_autocheckpoint = ${checkpointPages}`)
  database.pragma(`cache_size = -${givesWay ? besideCacheKiB : cacheKiB}`)
  // From here on `Sql` waits for other processes, without blocking the event loop.
  database.pragma("busy_timeout = 0")
  return database.function("lower", { deterministic: true }, lower)
}

/** Replaces SQLite's `lower`, which folds ASCII letters only. */
const lower = (value: unknown) => typeof value === "string" ? value.toLowerCase() : value

/** The database in a file, in whatever version it is. By default every commit waits until it is on the disk. */
export const openDatabase = (
  file: string,
  options: OpenOptions = defaults
): Layer.Layer<Sql> =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(Effect.sync(() => open(file, options)), (database) => Effect.sync(() => database.close())),
      (database) => Sql.layer(sqliteDialect(database, options), { fence: options.fence, clock: machineClock })
    )
  )
