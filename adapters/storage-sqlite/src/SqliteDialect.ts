import { DatabaseLocked, type PromptConnection } from "@trunkline/storage-kysely"
import type Database from "better-sqlite3"
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
import { setImmediate, setTimeout } from "node:timers/promises"
import { isBusy } from "./Busy.js"

/** Statements that are kept prepared. The stores have fewer; filters and batches make the rest. */
const keptStatements = 200

/** A statement that is prepared; its rows are what whoever wrote it says. */
interface Prepared extends SqliteStatement {
  all<Row>(parameters: ReadonlyArray<unknown>): Array<Row>
}

interface PreparingDatabase extends SqliteDatabase {
  prepare(sql: string): Prepared
}

/** Prepares every statement once. */
const prepared = (database: Database.Database): PreparingDatabase => {
  const statements = new Map<string, Prepared>()
  return {
    close: () => void database.close(),
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const [oldest] = statements.keys()
      if (oldest !== undefined && statements.size >= keptStatements) statements.delete(oldest)
      const statement = database.prepare<ReadonlyArray<unknown>, never>(sql)
      statements.set(sql, statement)
      return statement
    }
  }
}

/** How long statements may follow each other before the event loop gets a turn. */
const turnMillis = 4

/**
 * How long transactions that give way follow each other without a pause, in milliseconds: less than others look eagerly
 * for the end of a lock.
 */
const pressingMillis = 8

/** How long they pause then, in milliseconds: long enough that whoever looks eagerly finds the gap. */
const gapMillis = 2

const atOnce = <Row>(database: PreparingDatabase, sql: string, values: ReadonlyArray<unknown>): QueryResult<Row> => {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(values) }
  return { rows: [], numAffectedRows: BigInt(statement.run(values).changes) }
}

/** Lets the event loop turn between statements: they are synchronous, so nothing else does. */
const inTurns = (connection: DatabaseConnection, database: PreparingDatabase): PromptConnection => {
  let turned = performance.now()
  const isDue = () => performance.now() - turned > turnMillis
  return {
    executeQuery: async <Row>(query: CompiledQuery) => {
      if (isDue()) {
        await setImmediate()
        turned = performance.now()
      }
      try {
        return await connection.executeQuery<Row>(query)
      } catch (error) {
        throw isBusy(error) ? DatabaseLocked.to(query) : error
      }
    },
    executeNow: (sql, values) => isDue() ? null : atOnce(database, sql, values),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize)
  }
}

/** How a connection behaves towards others on the same file. */
export interface DialectOptions {
  /** Whether it pauses between its transactions now and then, so that others get a turn however many it has. */
  readonly givesWay: boolean
}

class ImmediateDriver extends SqliteDriver {
  readonly #database: PreparingDatabase
  readonly #givesWay: boolean
  #connection: DatabaseConnection | undefined
  /** When others last had a gap to begin in. */
  #gapAt = performance.now()
  #endedAt = performance.now()

  constructor(database: PreparingDatabase, { givesWay }: DialectOptions) {
    super({ database })
    this.#database = database
    this.#givesWay = givesWay
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    return this.#connection ??= inTurns(connection, this.#database)
  }

  /** Takes the write lock at once, so that no transaction fails halfway for want of it. */
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
    if (now - this.#gapAt < pressingMillis) return
    await setTimeout(gapMillis)
    this.#gapAt = performance.now()
  }
}

/** Writes limits out as numbers: SQLite plans a statement anew, at the cost of many, whenever another is bound there. */
class LiteralLimits extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value)) this.append(`limit ${limit.value}`)
    else super.visitLimit({ kind: "LimitNode", limit })
  }
}

/** Kysely's SQLite over an open database: statements prepared once, immediate transactions, turns for the event loop. */
export const sqliteDialect = (database: Database.Database, options: DialectOptions): Dialect => ({
  createDriver: () => new ImmediateDriver(prepared(database), options),
  createQueryCompiler: () => new LiteralLimits(),
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db)
})
