import { assert, describe, it } from "@effect/vitest"
import { SqlSqlite } from "@trunkline/sqlite"
import { Sql } from "@trunkline/storage-kysely"
import { SqlPostgres } from "@trunkline/storage-postgres"
import { Effect } from "effect"
import { migratedDatabase, onPostgres } from "./setup/Postgres.js"

/**
 * Names of PostgreSQL alone: SQLite keeps files in the folder beside it, and processes share only PostgreSQL. In the owner's
 * place, each process has a row.
 */
const ofFiles = /^file(s|_versions|_chunks)(\.|_by_)/
const ofProcesses =
  /^(processes|campaign_turns|settled_counts|slot_leases)[._]|(?<!campaign_spending|canary_counts)\.process_id$|^attempts_(of_process|on_the_phone)$/
const isPostgresOnly = (name: string) => ofFiles.test(name) || ofProcesses.test(name)
const isSqliteOnly = (name: string) => name.startsWith("ownership.")

/** The names that a query finds. */
const namesOf = (text: string) =>
  Effect.map(
    Effect.flatMap(Sql, ({ execute }) => execute<{ readonly name: string }>(text, [])),
    ({ rows }) => rows.map(({ name }) => name).sort()
  )

onPostgres(() => {
  describe("the tables of PostgreSQL", () => {
    const both = <A>(onSqlite: Effect.Effect<A, never, Sql>, onPostgres: Effect.Effect<A, never, Sql>) =>
      Effect.flatMap(migratedDatabase, (url) =>
        Effect.all([
          Effect.provide(onSqlite, SqlSqlite.layer({ file: ":memory:" })),
          Effect.provide(onPostgres, SqlPostgres.layer({ url }))
        ]))

    it.scopedLive("have the columns of those of SQLite", () =>
      Effect.gen(function*() {
        const [expected, actual] = yield* both(
          namesOf(`
            select tables.name || '.' || columns.name as name from sqlite_schema as tables
            cross join pragma_table_xinfo(tables.name) as columns
            where tables.type = 'table' and tables.name not like 'sqlite%'
          `),
          namesOf(`
            select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
          `)
        )
        assert.isAbove(expected.length, 250)
        assert.deepStrictEqual(
          actual.filter((name) => !isPostgresOnly(name)),
          expected.filter((name) => !isSqliteOnly(name))
        )
      }))

    it.scopedLive("have the indexes of those of SQLite", () =>
      Effect.gen(function*() {
        const [expected, actual] = yield* both(
          namesOf("select name from sqlite_schema where type = 'index' and sql is not null"),
          namesOf(
            "select indexname as name from pg_indexes where schemaname = 'public' and indexname !~ '_(pkey|key)$'"
          )
        )
        assert.isAbove(expected.length, 25)
        assert.deepStrictEqual(
          actual.filter((name) => !isPostgresOnly(name)),
          expected.filter((name) => !isSqliteOnly(name))
        )
      }))
  })
})
