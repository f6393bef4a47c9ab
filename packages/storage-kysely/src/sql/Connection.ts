import { Data } from "effect"
import { CompiledQuery, type DatabaseConnection, type Dialect, type QueryResult, SelectQueryNode } from "kysely"

const readOnlyText = /^\s*(?:select|pragma|explain)\b/i

/** Checks whether a statement may change the database: true unless it is known to be read-only. */
export const mayWrite = ({ query, sql }: CompiledQuery): boolean =>
  !SelectQueryNode.is(query) && !readOnlyText.test(sql)

/** Kind of access to a database; the right to write includes the right to read. */
export type DatabaseAccess = "writing" | "reading"

/** Another connection holds the lock that a statement needs. Dialects throw it at once, without waiting. */
export class DatabaseLocked extends Data.TaggedError("DatabaseLocked")<{
  /** The access that the statement needs. */
  readonly needs: DatabaseAccess
}> {
  /** The error of a statement that found the database locked. */
  static readonly to = (query: CompiledQuery): DatabaseLocked =>
    new DatabaseLocked({ needs: mayWrite(query) ? "writing" : "reading" })
  override get message() {
    return `another process has locked the database: no ${this.needs} for now`
  }
}

/**
 * A connection to a database in this process, which can run statements synchronously. Many statements take less time
 * than the promise they would otherwise need.
 */
export interface ImmediateConnection extends DatabaseConnection {
  /** Runs a statement; null when it has to go through `executeQuery`, because the event loop is due a turn. */
  readonly executeNow: <Row>(text: string, values: ReadonlyArray<unknown>) => QueryResult<Row> | null
}

/** Checks whether a connection can run statements synchronously. */
export const isImmediate = (connection: DatabaseConnection): connection is ImmediateConnection =>
  "executeNow" in connection

const begin = CompiledQuery.raw("begin")
const rollback = CompiledQuery.raw("rollback")
const probe = CompiledQuery.raw("select 1 from sqlite_schema limit 1")

/** Checks whether the database itself has rolled the transaction back, as SQLite does after errors such as a full disk. */
export const isRolledBack = async (connection: DatabaseConnection): Promise<boolean> => {
  try {
    await connection.executeQuery(begin)
  } catch (error) {
    return !(error instanceof Error && error.message.includes("within a transaction"))
  }
  await connection.executeQuery(rollback)
  return true
}

/** Runs an operation; false when another process has locked the database. */
export const succeedsUnlessLocked = async (operation: Promise<unknown>): Promise<boolean> => {
  try {
    await operation
    return true
  } catch (error) {
    if (error instanceof DatabaseLocked) return false
    throw error
  }
}

/** Checks whether the database can be read, despite a lock of another process. */
export const isReadable = (connection: DatabaseConnection): Promise<boolean> =>
  succeedsUnlessLocked(connection.executeQuery(probe))

const noop = () => Promise.resolve()
const rejectTransaction = () => Promise.reject(new Error("Begin transactions with Sql.transaction"))

/** A dialect over an open connection, which it never closes. */
export const dialectOn = (connection: DatabaseConnection, dialect: Dialect): Dialect => ({
  createDriver: () => ({
    init: noop,
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: noop,
    beginTransaction: rejectTransaction,
    commitTransaction: rejectTransaction,
    rollbackTransaction: rejectTransaction,
    destroy: noop
  }),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db)
})
