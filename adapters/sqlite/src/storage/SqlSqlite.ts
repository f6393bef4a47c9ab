import {
  type Database,
  DatabaseTooNew,
  maintainOwnership,
  makeFence,
  migrate,
  migrations,
  ownerHeartbeat,
  Ownership,
  schemaVersion,
  Sql
} from "@trunkline/storage-kysely"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { CompiledQuery, type Kysely } from "kysely"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { acquireOwnership, type DataFolderInUse } from "./FileOwner.js"
import { makeFolder } from "./MakeFolder.js"
import { inMemory, machineClock, openDatabase } from "./OpenDatabase.js"

/** Options of `SqlSqlite.layer` and `StorageSqlite.layer`. */
export interface SqliteOptions {
  /** Path of the file, which is created with its folder if it does not exist; `:memory:` for a database in memory. */
  readonly file: string
  /**
   * Time after which another process may take the file over from an owner that no longer writes heartbeats; 30 seconds
   * when absent. There are six heartbeats per lease. A dial must finish within half a lease.
   */
  readonly lease?: Duration.DurationInput
}

/** Options of `SqlSqlite.layerBeside` and `StorageSqlite.layerBeside`. */
export interface BesideOptions {
  /** Path of the file. */
  readonly file: string
  /** Number of the fence under which this process owns the file. Nothing is written once another process owns it. */
  readonly fence: number
}

/** Options of `SqlSqlite.layerShared` and `StorageSqlite.layerShared`. */
export interface SharedOptions {
  /** Path of the file. */
  readonly file: string
  /** Creates the file, with its folder, if it does not exist. False when absent, so that a typo creates none. */
  readonly create?: boolean
}

/** There is no database at the given path. */
export class DatabaseMissing extends Data.TaggedError("DatabaseMissing")<{ readonly file: string }> {
  override get message() {
    return `There is no database at ${this.file}`
  }
}

/** The process that owns the database has not migrated it to the version that this software needs. */
export class DatabaseTooOld extends Data.TaggedError("DatabaseTooOld")<{
  readonly storedVersion: number
  readonly ownVersion: number
}> {
  override get message() {
    return `The process that uses this data folder keeps its database at version ${this.storedVersion}, but this software `
      + `knows version ${this.ownVersion} only: restart that process with this version of the software first`
  }
}

type OwnedLayer = Layer.Layer<Ownership | Sql, DatabaseTooNew | DataFolderInUse>

/** Runs an effect by the machine's clock, which other processes share. */
const withMachineClock = Effect.withClock(machineClock)

const memoryLayer = () =>
  Layer.effectDiscard(migrate()).pipe(
    Layer.provideMerge(Layer.succeed(Ownership, Ownership.exclusive)),
    Layer.provideMerge(openDatabase(inMemory))
  )

/** The database in a file, owned by this process; `takesOver` allows taking it from an owner that has stopped. */
const ownedLayer = ({ file, lease: requestedTime = "30 seconds" }: SqliteOptions, takesOver: boolean): OwnedLayer =>
  Layer.unwrapScoped(Effect.gen(function*() {
    if (file === inMemory) return memoryLayer()
    yield* Effect.sync(() => makeFolder(dirname(file)))
    const lease = Duration.decode(requestedTime)
    const acquire = Effect.provide(acquireOwnership({ file, lease, takesOver }), openDatabase(file))
    const fence = yield* withMachineClock(acquire)
    const maintain = Effect.flatMap(ownerHeartbeat, (heartbeat) => maintainOwnership({ fence, lease, heartbeat }))
    const ownership = Layer.scoped(Ownership, withMachineClock(maintain))
    return Layer.effectDiscard(migrate()).pipe(
      Layer.provideMerge(ownership),
      Layer.provideMerge(openDatabase(file, { synchronous: "FULL", givesWay: false, fence }))
    )
  }))

const knownVersion = migrations.length

const requireKnownVersion = Effect.fnUntraced(function*(sql: Context.Tag.Service<Sql>) {
  const version = yield* sql.query(schemaVersion)
  if (version > knownVersion) return yield* new DatabaseTooNew({ storedVersion: version, ownVersion: knownVersion })
  if (version < knownVersion) return yield* new DatabaseTooOld({ storedVersion: version, ownVersion: knownVersion })
})

/** Checks the version before every query, so that none runs on a database that a newer owner has migrated meanwhile. */
const withVersionCheck = (sql: Context.Tag.Service<Sql>) => {
  const query = <A>(run: (db: Kysely<Database>) => Promise<A>) =>
    sql.query(async (db: Kysely<Database>) => {
      const version = await schemaVersion(db)
      if (version !== knownVersion) throw new DatabaseTooNew({ storedVersion: version, ownVersion: knownVersion })
      return run(db)
    })
  return Sql.of({
    ...sql,
    query,
    statements: (run) => sql.transaction(Effect.zipRight(query(() => Promise.resolve()), sql.statements(run))),
    execute: (text, values) => query((db) => db.executeQuery(CompiledQuery.raw(text, [...values])))
  })
}

/** Migrates a database that has no owner; does nothing if it has one. */
const migrateUnowned = (file: string) => Effect.ignore(Effect.scoped(Layer.build(ownedLayer({ file }, false))))

/**
 * `Sql` over SQLite: for tables that a program keeps in the file of the stores.
 *
 * @example
 * ```ts
 * const sql = SqlSqlite.layer({ file: "data/trunkline.db" })
 * ```
 */
export const SqlSqlite = {
  /**
   * The database in a SQLite file, migrated to the newest version. This process owns the file until the layer is closed.
   * Once it has been stopped for a whole lease, another process may take over; every later write of this one fails.
   */
  layer: (options: SqliteOptions): OwnedLayer => ownedLayer(options, true),
  /**
   * Another connection to a file that this process owns: for its worker threads, which must not outlive the owner. Owner
   * and worker wait for each other as two processes do, so transactions must be short. A worker with many of them leaves
   * gaps for the owner.
   *
   * Its commits do not wait for the disk. A power loss may undo the last of them, newest first, so everything written here
   * must be repeatable. The owner's next commit makes all commits before it durable.
   */
  layerBeside: ({ fence, file }: BesideOptions): Layer.Layer<Sql, DatabaseMissing> =>
    Layer.unwrapEffect(Effect.suspend(() =>
      file !== inMemory && existsSync(file)
        ? Effect.succeed(openDatabase(file, { synchronous: "NORMAL", givesWay: true, fence: makeFence(fence) }))
        : new DatabaseMissing({ file })
    )),
  /**
   * The database in a SQLite file that another process may own: for tools that work beside a running server. A file
   * without an owner is owned for as long as it takes to migrate it. After that this process is a guest, which waits up to
   * 5 seconds to write. Its transactions must be short, because the owner waits no longer for its own.
   */
  layerShared: (
    { create = false, file }: SharedOptions
  ): Layer.Layer<Sql, DatabaseMissing | DatabaseTooNew | DatabaseTooOld> =>
    Layer.unwrapScoped(Effect.gen(function*() {
      const exists = file !== inMemory && existsSync(file)
      if (!exists && !create) return yield* new DatabaseMissing({ file })
      if (!exists) yield* migrateUnowned(file)
      const sql = Context.get(yield* Layer.build(openDatabase(file)), Sql)
      if ((yield* sql.query(schemaVersion)) < knownVersion) yield* migrateUnowned(file)
      yield* requireKnownVersion(sql)
      return Layer.succeed(Sql, withVersionCheck(sql))
    }))
}
