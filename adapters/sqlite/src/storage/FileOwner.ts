import { StoreBusy } from "@trunkline/kernel"
import {
  countTakeovers,
  DatabaseTooNew,
  type Fence,
  isLeaseCurrent,
  isOwnerSilent,
  migrate,
  migrations,
  type OwnershipClaim,
  type OwnershipRecord,
  readOwnership,
  schemaVersion,
  Sql,
  takeOwnership
} from "@trunkline/storage-kysely"
import type Database from "better-sqlite3"
import { Data, type Duration, Effect, Option, type Scope } from "effect"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { connect } from "./Connect.js"
import { isBusy } from "./SqliteDialect.js"

const lockFile = (path: string): Database.Database | null => {
  const database = connect(path, { timeout: 0 })
  try {
    return database.exec("begin exclusive")
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * Locks a file, created if it does not exist, until the scope ends; false when another process has locked it. The
 * operating system holds the lock, and releases it whenever the process ends.
 */
const tryLock = (path: string): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(Effect.sync(() => lockFile(path)), (database) => Effect.sync(() => database?.close())),
    (database) => database !== null
  )

/** Another process uses the data folder. Two processes would corrupt each other's work, so the second one fails. */
export class DataFolderInUse extends Data.TaggedError("DataFolderInUse")<{
  readonly folder: string
  /** The other process, if it has stopped but still locks the database, which prevents a takeover. */
  readonly stuck?: string
}> {
  override get message() {
    const hint = this.stuck === undefined
      ? ""
      : `; it does not answer and keeps the database locked, so end it first: process ${this.stuck}`
    return `another process uses this data folder: ${this.folder}${hint}`
  }
}

/** A request for the ownership of a file. */
interface OwnershipRequest {
  readonly file: string
  /** Time without a heartbeat after which another process may take over. */
  readonly lease: Duration.Duration
  /** Watches an owner whose lease has expired for a whole lease, and takes over if it stays silent. */
  readonly takesOver: boolean
}

/** Name of the first owner's lock, and the only one that versions before `Ownership` know. */
const firstLock = "owner"

const lockOf = (record: OwnershipRecord | undefined) => record?.lock ?? firstLock

const claimOf = ({ lease }: OwnershipRequest, lock: string): OwnershipClaim => ({
  lease,
  lock,
  owner: `${process.pid} on ${hostname()}`
})

/** Succeeds an owner that has exited, whose lock is held now; null when another process was faster. */
const succeed = (request: OwnershipRequest, lock: string) =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    if ((yield* query(readOwnership)) === undefined) yield* migrate()
    const record = yield* query(readOwnership)
    return lockOf(record) === lock ? yield* takeOwnership(claimOf(request, lock), record) : null
  })

/** Takes over from an owner that writes no heartbeat for a whole lease; null when it does. */
const takeOver = (request: OwnershipRequest, record: OwnershipRecord) =>
  Effect.gen(function*() {
    if ((yield* isLeaseCurrent(record)) || !(yield* isOwnerSilent(record))) return null
    const lock = `${firstLock}-${record.fence + 1}`
    const fence = (yield* tryLock(`${request.file}.${lock}`))
      ? yield* takeOwnership(claimOf(request, lock), record)
      : null
    if (fence !== null) countTakeovers(1)
    return fence
  }).pipe(
    Effect.catchSomeDefect((defect) =>
      defect instanceof StoreBusy
        ? Option.some(new DataFolderInUse({ folder: dirname(request.file), stuck: record.owner }))
        : Option.none()
    )
  )

/**
 * Makes this process the only one that can write to a database file until the scope ends; returns its fence.
 *
 * The owner holds a lock of the operating system on an empty file beside the database. It is released when the process
 * ends, so that the next process can own the database at once. A stopped process keeps its lock without writing
 * heartbeats; the process that takes over from it locks another file, whose name is in the database.
 */
export const acquireOwnership = (
  request: OwnershipRequest
): Effect.Effect<Fence, DataFolderInUse | DatabaseTooNew, Sql | Scope.Scope> =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    const version = yield* query(schemaVersion)
    if (version > migrations.length) {
      return yield* new DatabaseTooNew({ storedVersion: version, ownVersion: migrations.length })
    }
    const record = yield* query(readOwnership)
    const lock = lockOf(record)
    const fence = (yield* tryLock(`${request.file}.${lock}`))
      ? yield* succeed(request, lock)
      // Older versions of this software write no heartbeats, so they never count as silent.
      : record !== undefined && request.takesOver
      ? yield* takeOver(request, record)
      : null
    return fence ?? (yield* new DataFolderInUse({ folder: dirname(request.file) }))
  })
