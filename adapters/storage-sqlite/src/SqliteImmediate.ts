import type Database from "better-sqlite3"
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement
} from "kysely"

/** Statements that are kept prepared. The stores have fewer; filters and batches make the rest. */
const keptStatements = 200

/** Prepares every statement once. */
const prepared = (database: Database.Database): SqliteDatabase => {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => void database.close(),
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const [oldest] = statements.keys()
      if (oldest !== undefined && statements.size >= keptStatements) statements.delete(oldest)
      const statement = database.prepare<ReadonlyArray<unknown>>(sql)
      statements.set(sql, statement)
      return statement
    }
  }
}

/** Takes the write lock when a transaction begins, so that none fails halfway for want of it. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"))
  }
}

/** Kysely's SQLite over an open database, with immediate transactions. */
export const sqliteImmediate = (database: Database.Database): Dialect => ({
  createDriver: () => new ImmediateDriver({ database: prepared(database) }),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db)
})
