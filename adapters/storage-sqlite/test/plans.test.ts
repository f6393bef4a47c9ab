import { assert, describe, it } from "@effect/vitest"
import { type Database, LimitsSql, Sql, StoresSql } from "@trunkline/storage-kysely"
import { frequentQueries } from "@trunkline/storage-kysely/testing"
import { SqlSqlite } from "@trunkline/storage-sqlite"
import { Effect, Layer } from "effect"
import { CompiledQuery, type Kysely, type KyselyPlugin } from "kysely"

const stores = Layer.merge(StoresSql.layer, LimitsSql.layer)

/** The plans of every statement that is run while an effect runs. */
const plansOf = (effect: Effect.Effect<unknown, never, Layer.Layer.Success<typeof stores>>) =>
  Effect.gen(function*() {
    const sql = yield* Sql
    const statements: Array<CompiledQuery> = []
    const recording = (db: Kysely<Database>): KyselyPlugin => ({
      transformQuery: ({ node, queryId }) => {
        statements.push(db.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result)
    })
    const recorded = Layer.succeed(Sql, {
      ...sql,
      query: (run) => sql.query((db) => run(db.withPlugin(recording(db))))
    })
    yield* Effect.provide(effect, Layer.provide(stores, recorded))
    return yield* Effect.forEach(statements, (statement) =>
      sql.query((db) =>
        db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters])
        )
      ).pipe(Effect.map(({ rows }) => ({ sql: statement.sql, plan: rows.map(({ detail }) => detail) }))))
  })

const scansTable = (step: string) =>
  /^SCAN (?!.*USING|.*CONSTANT ROW|.*VALUES CLAUSE|.*VIRTUAL TABLE|\(subquery)/.test(step)
const sorts = (step: string) => /TEMP B-TREE/.test(step)

/** Those that sort the few rows which an index finds, or group as they count and add up. */
const sorting = ["a known caller", "a payment", "counts of webhooks"]

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
      }).pipe(Effect.provide(SqlSqlite.layer({ file: ":memory:" }))))
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
