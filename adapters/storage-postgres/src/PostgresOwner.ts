import {
  DatabaseTooNew,
  type Fence,
  isLeaseCurrent,
  isOwnerSilent,
  migrate,
  type OwnershipClaim,
  postgresMigrations,
  readOwnership,
  schemaVersion,
  Sql,
  takeOwnership
} from "@trunkline/storage-kysely"
import { type Duration, Effect, type Scope } from "effect"
import { hostname } from "node:os"
import { DatabaseInUse, describeUrl, type OpenError } from "./PostgresErrors.js"
import { makePool } from "./PostgresPool.js"
import { makeSql } from "./PostgresSql.js"

/** A request for the ownership of a database. */
interface OwnershipRequest {
  readonly url: string
  readonly applicationName?: string
  /** Time without a heartbeat after which another process may take over. */
  readonly lease: Duration.Duration
}

/** The ownership of a database. */
interface Owned {
  readonly fence: Fence
  /** The connection that holds the lock of the owner, for its heartbeats. */
  readonly sql: typeof Sql.Service
}

/** Name of the first owner's lock. */
const firstLock = "owner"

const tryLock = "select pg_try_advisory_lock(7492, hashtext(?)) as held"

/**
 * Makes this process the only one that can write to a database until the scope ends.
 *
 * The owner holds a lock of the server on a connection of its own. It is released when the connection ends, so that the
 * next process can own the database at once. A stopped process, or one behind a broken network, keeps its lock without
 * writing heartbeats; the process that takes over from it locks another name, which is in the database.
 */
export const acquireOwnership = (
  { applicationName = "trunkline", lease, url }: OwnershipRequest
): Effect.Effect<Owned, DatabaseInUse | DatabaseTooNew | OpenError, Scope.Scope> =>
  Effect.gen(function*() {
    const pool = yield* makePool({ url, connections: 1, applicationName: `${applicationName} owner` })
    const sql = makeSql(pool, { fence: null })
    const read = sql.query((db) => readOwnership(db, sql.dialect))
    const isLocked = (name: string) =>
      Effect.map(sql.execute<{ readonly held: boolean }>(tryLock, [name]), ({ rows: [row] }) => row?.held === true)
    const claimOf = (lock: string): OwnershipClaim => ({ lease, lock, owner: `${process.pid} on ${hostname()}` })
    const withSql = Effect.provideService(Sql, sql)

    const found = yield* sql.query((db) => schemaVersion(db, sql.dialect))
    const known = postgresMigrations.length
    if (found > known) return yield* new DatabaseTooNew({ found, known })
    const seen = yield* read
    const lock = seen?.lock ?? firstLock
    const refuse = new DatabaseInUse({ database: describeUrl(url), owner: seen?.owner ?? null })
    /** Brings the tables up to date, now that no other process uses them, and becomes the owner. */
    const take = (name: string) => withSql(Effect.zipRight(migrate(), takeOwnership(claimOf(name), seen)))
    if (yield* isLocked(lock)) {
      const fence = yield* take(lock)
      return fence === null ? yield* refuse : { fence, sql }
    }
    if (
      seen === undefined || (yield* isLeaseCurrent(seen)) || !(yield* withSql(isOwnerSilent(seen)))
    ) return yield* refuse
    const next = `${firstLock}-${seen.fence + 1}`
    const fence = (yield* isLocked(next)) ? yield* take(next) : null
    return fence === null ? yield* refuse : { fence, sql }
  })
