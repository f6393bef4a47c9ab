import { DatabaseLocked, type ImmediateConnection } from "@trunkline/storage-kysely"
import Database from "better-sqlite3"
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  ValueNode
} from "kysely"
import { LRUCache } from "lru-cache"
import { setImmediate, setTimeout } from "node:timers/promises"

/** Checks whether a statement failed because another process holds the lock that it needs. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")

/** Capacity of the cache of prepared statements. The stores need fewer; filters and batches add the rest. */
const cachedStatements = 200

/** A prepared statement; the caller states the type of its rows. */
interface Prepared extends SqliteStatement {
  all<Row>(parameters: ReadonlyArray<unknown>): Array<Row>
}

interface PreparingDatabase extends SqliteDatabase {
  prepare(sql: string): Prepared
}

/** Caches prepared statements. */
const cachePrepared = (database: Database.Database): PreparingDatabase => {
  const statements = new LRUCache<string, Prepared>({
    max: cachedStatements,
    memoMethod: (sql) => database.prepare<ReadonlyArray<unknown>, never>(sql)
  })
  return {
    close: () => void database.close(),
    prepare: (sql) => statements.memo(sql)
  }
}

/** Time for which statements may follow each other before the event loop gets a turn, in milliseconds. */
const turnMillis = 4

/**
 * Time for which the transactions of a connection that gives way follow each other, in milliseconds: less than the time for
 * which other connections poll the lock on every turn.
 */
const burstMillis = 8

/** Length of the pause after that, in milliseconds: long enough for other connections to find it. */
const gapMillis = 2

const runNow = <Row>(database: PreparingDatabase, sql: string, values: ReadonlyArray<unknown>): QueryResult<Row> => {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(values) }
  return { rows: [], numAffectedRows: BigInt(statement.run(values).changes) }
}

/** Lets the event loop turn between statements, which are synchronous. */
const yielding = (connection: DatabaseConnection, database: PreparingDatabase): ImmediateConnection => {
  let turnedAt = performance.now()
  const isTurnDue = () => performance.now() - turnedAt > turnMillis
  return {
    executeQuery: async <Row>(query: CompiledQuery) => {
      if (isTurnDue()) {
        await setImmediate()
        turnedAt = performance.now()
      }
      try {
        return await connection.executeQuery<Row>(query)
      } catch (error) {
        throw isBusy(error) ? DatabaseLocked.to(query) : error
      }
    },
    executeNow: (sql, values) => isTurnDue() ? null : runNow(database, sql, values),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize)
  }
}

/** Options of `sqliteDialect`. */
interface DialectOptions {
  /** Pauses between transactions now and then, so that other connections get a turn. */
  readonly givesWay: boolean
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: PreparingDatabase
  readonly #givesWay: boolean
  #connection: DatabaseConnection | undefined
  /** Time of the last pause. */
  #gapAt = performance.now()
  #endedAt = performance.now()

  constructor(database: PreparingDatabase, { givesWay }: DialectOptions) {
    super({ database })
    this.#database = database
    this.#givesWay = givesWay
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    return this.#connection ??= yielding(connection, this.#database)
  }

  /** Takes the write lock at once, so that no transaction fails halfway for lack of it. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#givesWay) await this.#giveWay()
    await connection.executeQuery(CompiledQuery.raw("begin immediate"))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#endedAt = performance.now()
  }

  async #giveWay(): Promise<void> {
    const now = performance.now()
    if (now - this.#endedAt >= gapMillis) this.#gapAt = now
    if (now - this.#gapAt < burstMillis) return
    await setTimeout(gapMillis)
    this.#gapAt = performance.now()
  }
}

/** Writes limits as literals, because SQLite plans a statement again for every new value bound to a limit. */
class LiteralLimits extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value)) this.append(`limit ${limit.value}`)
    else super.visitLimit({ kind: "LimitNode", limit })
  }
}

/** Kysely's SQLite dialect over an open database, with cached statements, immediate transactions and event loop turns. */
export const sqliteDialect = (database: Database.Database, options: DialectOptions): Dialect => ({
  createDriver: () => new ImmediateDriver(cachePrepared(database), options),
  createQueryCompiler: () => new LiteralLimits(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db)
})
