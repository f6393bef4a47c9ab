import { assert, describe, it } from "@effect/vitest"
import { LimitsSql, migrate, Sql, StoresSql } from "@trunkline/storage-kysely"
import { frequentQueries } from "@trunkline/storage-kysely/testing"
import { SqlSqlite } from "@trunkline/storage-sqlite"
import BetterSqlite from "better-sqlite3"
import { Effect, Layer } from "effect"
import { CompiledQuery, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely"

const stores = Layer.merge(StoresSql.layer, LimitsSql.layer)

/** A database that hands every statement to `run` with its parameters. */
const recording = (
  database: BetterSqlite.Database,
  run: (sql: string, parameters: ReadonlyArray<unknown>) => void
): SqliteDatabase => ({
  close: () => void database.close(),
  prepare: (sql): SqliteStatement => {
    const statement = database.prepare<ReadonlyArray<unknown>>(sql)
    const ran = <A>(parameters: ReadonlyArray<unknown>, result: A): A => {
      run(sql, parameters)
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

/** The plans of every statement that is run while an effect runs, whichever way it was made. */
const plansOf = (effect: Effect.Effect<unknown, never, Layer.Layer.Success<typeof stores>>) =>
  Effect.suspend(() => {
    const database = new BetterSqlite(":memory:")
    const statements: Array<readonly [sql: string, parameters: ReadonlyArray<unknown>]> = []
    const dialect = new SqliteDialect({ database: recording(database, (...ran) => void statements.push(ran)) })
    return Effect.gen(function*() {
      yield* migrate()
      statements.length = 0
      yield* Effect.provide(effect, stores)
      return statements.filter(([sql]) => !/^(begin|commit|savepoint|release)/.test(sql)).map(([sql, parameters]) => {
        const steps = database.prepare<ReadonlyArray<unknown>, { readonly detail: string }>(`explain query plan ${sql}`)
        return { sql, plan: steps.all(parameters).map(({ detail }) => detail) }
      })
    }).pipe(Effect.provide(Sql.layer(dialect)))
  })

const scansTable = (step: string) =>
  /^SCAN (?!.*USING|.*CONSTANT ROW|.*VALUES CLAUSE|.*VIRTUAL TABLE|\(subquery)/.test(step)
const sorts = (step: string) => /TEMP B-TREE/.test(step)

/** Those that sort the few rows which an index finds, or group as they count and add up. */
const sorting = ["a payment", "counts of webhooks", "people of a campaign by state, reason or name"]

describe("frequent queries", () => {
  for (const [name, query] of Object.entries(frequentQueries)) {
    it.effect(`${name}: from an index, in its order`, () =>
      Effect.gen(function*() {
        const plans = yield* plansOf(query)
        assert.isNotEmpty(plans)
        for (const { plan, sql } of plans) {
          assert.deepStrictEqual(plan.filter(scansTable), [], sql)
          if (!sorting.includes(name)) assert.deepStrictEqual(plan.filter(sorts), [], sql)
        }
      }))
  }

  it.effect("a table without a fitting index would be noticed", () =>
    Effect.gen(function*() {
      const sql = yield* Sql
      const { rows } = yield* sql.query((db) =>
        db.executeQuery<{ detail: string }>(
          CompiledQuery.raw("explain query plan select body from calls where job_id = 'x' order by audio_url")
        )
      )
      assert.isTrue(rows.some(({ detail }) => scansTable(detail)))
      assert.isTrue(rows.some(({ detail }) => sorts(detail)))
    }).pipe(Effect.provide(SqlSqlite.layer({ file: ":memory:" }))))
})
