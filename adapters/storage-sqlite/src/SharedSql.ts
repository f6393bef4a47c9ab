import { type Database, DatabaseTooNew, migrations, schemaVersion, Sql } from "@trunkline/storage-kysely"
import { Context, Data, Effect, Layer } from "effect"
import { CompiledQuery, type Kysely } from "kysely"
import { existsSync } from "node:fs"
import { DatabaseMissing } from "./DatabaseMissing.js"
import { inMemory, opened } from "./OpenFile.js"
import { ownedBy } from "./OwnedSql.js"

/** Where the database is that others may use too. */
export interface SharedOptions {
  /** A file. */
  readonly file: string
  /** Makes it, with its folder, when it is not there; false when absent, so that a slip of the pen makes nothing. */
  readonly create?: boolean
}

/** The process that owns the database has not brought it to the version that this software knows. */
export class DatabaseTooOld extends Data.TaggedError("DatabaseTooOld")<{
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return `The process that uses this data folder keeps its database at version ${this.found}, but this software `
      + `knows version ${this.known} only: restart that process with this version of the software first`
  }
}

const known = migrations.length

/** Fails when a database has not exactly the known version. */
const demandKnown = Effect.fnUntraced(function*(sql: Context.Tag.Service<Sql>) {
  const found = yield* sql.query(schemaVersion)
  if (found > known) return yield* new DatabaseTooNew({ found, known })
  if (found < known) return yield* new DatabaseTooOld({ found, known })
})

/** Queries of a guest: none runs on a database that a newer owner has changed meanwhile. */
const guarded = (sql: Context.Tag.Service<Sql>) => {
  const query = <A>(run: (db: Kysely<Database>) => Promise<A>) =>
    sql.query(async (db: Kysely<Database>) => {
      const found = await schemaVersion(db)
      if (found !== known) throw new DatabaseTooNew({ found, known })
      return run(db)
    })
  return Sql.of({
    ...sql,
    query,
    execute: (text, values) => query((db) => db.executeQuery(CompiledQuery.raw(text, [...values])))
  })
}

/** Brings a database to the newest version where nobody owns it. */
const bringUp = (file: string) => Effect.ignore(Effect.scoped(Layer.build(ownedBy({ file }, false))))

/**
 * The database in a SQLite file that belongs to another process, or to nobody: for tools that work beside a running
 * server. It is owned for as long as it takes to bring it to the newest version, and only where nobody owns it; apart
 * from that this process is a guest, which waits up to 5 seconds for its turn to write. Its transactions must be short,
 * since the owner waits no longer for its own.
 */
export const shared = (
  { create = false, file }: SharedOptions
): Layer.Layer<Sql, DatabaseMissing | DatabaseTooNew | DatabaseTooOld> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const isThere = file !== inMemory && existsSync(file)
    if (!isThere && !create) return yield* new DatabaseMissing({ file })
    if (!isThere) yield* bringUp(file)
    const sql = Context.get(yield* Layer.build(opened(file)), Sql)
    if ((yield* sql.query(schemaVersion)) < known) yield* bringUp(file)
    yield* demandKnown(sql)
    return Layer.succeed(Sql, guarded(sql))
  }))
