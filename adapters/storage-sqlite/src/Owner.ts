import { StoreBusy } from "@trunkline/kernel"
import {
  type Claim,
  DatabaseTooNew,
  type Fence,
  type Holding,
  holdingOf,
  isSilent,
  migrate,
  migrations,
  schemaVersion,
  seemsThere,
  Sql,
  takeOwnership
} from "@trunkline/storage-kysely"
import { Data, type Duration, Effect, Option, type Scope } from "effect"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { tryLock } from "./FileLock.js"

/** Another process works with the data. Two would undo each other's work, so the second is refused. */
export class DataFolderInUse extends Data.TaggedError("DataFolderInUse")<{
  readonly folder: string
  /** Which process that is, when it does not answer but keeps the database locked, so that nobody can take over. */
  readonly stuck?: string
}> {
  override get message() {
    const stuck = this.stuck === undefined
      ? ""
      : `; it does not answer and keeps the database locked, so end it first: process ${this.stuck}`
    return `another process uses this data folder: ${this.folder}${stuck}`
  }
}

/** How a file is to be owned. */
export interface Ask {
  readonly file: string
  /** After so long without a beat somebody else may take over. */
  readonly lease: Duration.Duration
  /** Whether to wait for a whole lease where the owner does not answer, to take over then. */
  readonly takesOver: boolean
}

/** The name of the lock that the first owner holds, and the only one that versions before `Ownership` know. */
const firstLock = "owner"

const lockOf = (holding: Holding | undefined) => holding?.lock ?? firstLock

const claimOf = ({ lease }: Ask, lock: string): Claim => ({ lease, lock, owner: `${process.pid} on ${hostname()}` })

/** Follows an owner that is gone, whose lock is ours now; null when somebody else was quicker. */
const follow = (ask: Ask, lock: string) =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    if ((yield* query(holdingOf)) === undefined) yield* migrate()
    const seen = yield* query(holdingOf)
    return lockOf(seen) === lock ? yield* takeOwnership(claimOf(ask, lock), seen) : null
  })

/** Takes over from an owner that is silent for a whole lease; null when it is not. */
const takeOver = (ask: Ask, seen: Holding) =>
  Effect.gen(function*() {
    if ((yield* seemsThere(seen)) || !(yield* isSilent(seen))) return null
    const lock = `${firstLock}-${seen.fence + 1}`
    return (yield* tryLock(`${ask.file}.${lock}`)) ? yield* takeOwnership(claimOf(ask, lock), seen) : null
  }).pipe(
    Effect.catchSomeDefect((defect) =>
      defect instanceof StoreBusy
        ? Option.some(new DataFolderInUse({ folder: dirname(ask.file), stuck: seen.owner }))
        : Option.none()
    )
  )

/**
 * Makes this process the only one that can write to a database file until the scope ends, and answers its fence.
 *
 * The owner holds a lock of the operating system on an empty file beside the database, which goes with the process,
 * however that ends: then the next one owns it at once. A process that is there but has not said so for a lease, since
 * it was stopped, keeps that lock; whoever takes over holds another, whose name is in the database.
 */
export const own = (ask: Ask): Effect.Effect<Fence, DataFolderInUse | DatabaseTooNew, Sql | Scope.Scope> =>
  Effect.gen(function*() {
    const { query } = yield* Sql
    const found = yield* query(schemaVersion)
    if (found > migrations.length) return yield* new DatabaseTooNew({ found, known: migrations.length })
    const seen = yield* query(holdingOf)
    const lock = lockOf(seen)
    const fence = (yield* tryLock(`${ask.file}.${lock}`))
      ? yield* follow(ask, lock)
      // An older version of this software does not beat, so it is never taken for silent.
      : seen !== undefined && ask.takesOver
      ? yield* takeOver(ask, seen)
      : null
    return fence ?? (yield* new DataFolderInUse({ folder: dirname(ask.file) }))
  })
