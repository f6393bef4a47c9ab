import { Either } from "effect"
import type { Database, Statement as Prepared } from "sql.js/dist/sql-wasm-inline.js"
import {
  createStatements,
  deleteFact,
  deleteFacts,
  factRow,
  readState,
  schemaVersion,
  upsertFact,
  writeState
} from "../sql/Ddl.js"
import { cellOf, makeResultBudget, queryRefusedOf } from "../sql/SqliteResults.js"
import { checkStatement } from "../sql/Statement.js"
import type { ChangeBatch, Query, QueryRefused, QueryResult, ResultColumn, WarehouseStatement } from "../Warehouse.js"
import { addPercentiles } from "./Percentiles.js"

/** In-memory facts of one workspace. */
export interface MemoryDatabase {
  readonly query: (query: Query) => Either.Either<QueryResult, QueryRefused>
  readonly prepare: (statement: WarehouseStatement) => Either.Either<ReadonlyArray<ResultColumn>, QueryRefused>
  readonly apply: (changes: ChangeBatch) => number
  readonly watermark: () => number
  readonly clear: () => void
  readonly close: () => void
}

/** Initializes an empty database of a workspace; `scope` is its key. */
export const makeMemoryDatabase = (database: Database, scope: string): MemoryDatabase => {
  for (const statement of createStatements) database.run(statement)
  database.run("PRAGMA trusted_schema = 0")
  addPercentiles(database)

  const watermark = () => {
    const state = database.prepare(readState)
    const at = state.step() ? state.get(null, { useBigInt: true })[2] : 0
    state.free()
    return Number(at)
  }

  const inTransaction = (work: () => void) => {
    database.run("BEGIN")
    try {
      work()
      database.run("COMMIT")
    } catch (fault) {
      database.run("ROLLBACK")
      throw fault
    }
  }

  const withPrepared = <A>(
    statement: WarehouseStatement,
    use: (preparedStatement: Prepared) => A
  ): Either.Either<A, QueryRefused> =>
    Either.flatMap(checkStatement(statement.text, statement.parameters.length), () =>
      Either.try({
        try: () => {
          database.run("PRAGMA query_only = 1")
          const preparedStatement = database.prepare(statement.text)
          try {
            return use(preparedStatement)
          } finally {
            preparedStatement.free()
          }
        },
        catch: (fault) => queryRefusedOf(fault instanceof Error ? fault.message : String(fault))
      }))

  const endReadOnly = <A>(result: A): A => {
    database.run("PRAGMA query_only = 0")
    return result
  }

  const columnsOf = (preparedStatement: Prepared) =>
    preparedStatement.getColumnNames().map((name): ResultColumn => ({ name }))

  return {
    query: (query) =>
      endReadOnly(withPrepared(query, (preparedStatement) => {
        preparedStatement.bind([...query.parameters])
        const rows: Array<ReadonlyArray<string | number | boolean | null>> = []
        const fits = makeResultBudget()
        while (preparedStatement.step()) {
          const row = preparedStatement.get(null, { useBigInt: true }).map(cellOf)
          if (rows.length === query.maxRows || !fits(row)) {
            return { columns: columnsOf(preparedStatement), rows, truncated: true }
          }
          rows.push(row)
        }
        return { columns: columnsOf(preparedStatement), rows, truncated: false }
      })),
    prepare: (statement) => endReadOnly(withPrepared(statement, columnsOf)),
    apply: ({ changes, from, to }) => {
      if (watermark() !== from) return watermark()
      inTransaction(() => {
        for (const { attempt_id, fact } of changes) {
          if (fact === null) database.run(deleteFact, [attempt_id])
          else database.run(upsertFact, [...factRow(fact)])
        }
        database.run(writeState, [scope, schemaVersion, to])
      })
      return to
    },
    watermark,
    clear: () =>
      inTransaction(() => {
        database.run(deleteFacts)
        database.run(writeState, [scope, schemaVersion, 0])
      }),
    close: () => database.close()
  }
}
