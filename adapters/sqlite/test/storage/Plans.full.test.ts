import { assert, describe, it } from "@effect/vitest"
import { SqlSqlite } from "@trunkline/sqlite"
import { LimitsSql, migrate, Sql, StoresSql } from "@trunkline/storage-kysely"
import { isSort, isTableScan, queryPlanLaws } from "@trunkline/storage-kysely/testing"
import BetterSqlite from "better-sqlite3"
import { Effect, Layer } from "effect"
import { CompiledQuery, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely"

const stores = Layer.merge(StoresSql.layer, LimitsSql.layer)

/** A database that reports every statement to `onRun`, with its parameters. */
const recording = (
  database: BetterSqlite.Database,
  onRun: (sql: string, parameters: ReadonlyArray<unknown>) => void
): SqliteDatabase => ({
  close: () => void database.close(),
  prepare: (sql): SqliteStatement => {
    const statement = database.prepare<ReadonlyArray<unknown>>(sql)
    const ran = <A>(parameters: ReadonlyArray<unknown>, result: A): A => {
      onRun(sql, parameters)
      return result
    }
    return {
      reader: statement.reader,
      all: (parameters) => ran(parameters, statement.all(parameters)),
      run: (parameters) => ran(parameters, statement.run(parameters)),
      iterate: (parameters) => ran(parameters, statement.iterate(parameters))
    }
  }
})

/** Runs an effect, and explains every statement that it runs. */
const explain = (effect: Effect.Effect<unknown, never, Layer.Layer.Success<typeof stores>>) =>
  Effect.suspend(() => {
    const database = new BetterSqlite(":memory:")
    const statements: Array<readonly [sql: string, parameters: ReadonlyArray<unknown>]> = []
    const dialect = new SqliteDialect({ database: recording(database, (...ran) => void statements.push(ran)) })
    return Effect.gen(function*() {
      yield* migrate()
      statements.length = 0
      yield* Effect.provide(effect, stores)
      return statements.filter(([sql]) => !/^(begin|commit|savepoint|release)/.test(sql)).map(([sql, parameters]) => {
        const plan = database.prepare<ReadonlyArray<unknown>, { readonly detail: string }>(`explain query plan ${sql}`)
        return { sql, steps: plan.all(parameters).map(({ detail }) => detail) }
      })
    }).pipe(Effect.provide(Sql.layer(dialect)))
  })

queryPlanLaws("SQLite", explain)

describe("a table without a fitting index", () => {
  it.effect("shows in the plan as a scan and a sort", () =>
    Effect.gen(function*() {
      const sql = yield* Sql
      const { rows } = yield* sql.query((db) =>
        db.executeQuery<{ detail: string }>(
          CompiledQuery.raw("explain query plan select body from calls where job_id = 'x' order by audio_url")
        )
      )
      assert.isTrue(rows.some(({ detail }) => isTableScan(detail)))
      assert.isTrue(rows.some(({ detail }) => isSort(detail)))
    }).pipe(Effect.provide(SqlSqlite.layer({ file: ":memory:" }))))
})
