import { assert, describe, it } from "@effect/vitest"
import { ContactStore, noOutcomes } from "@trunkline/campaigns"
import { CampaignId } from "@trunkline/kernel"
import { migrate, type Migration, postgresMigrations, Sql } from "@trunkline/storage-kysely"
import { rowLaws, storesLaws } from "@trunkline/storage-kysely/testing"
import { SqlPostgres, StoragePostgres } from "@trunkline/storage-postgres"
import { Context, Effect, Layer } from "effect"
import { sql } from "kysely"
import { emptyDatabase, migratedDatabase, onPostgres, onServer } from "../../../test/setup/Postgres.js"
import { isFullSize } from "../../../test/setup/Scale.js"
import { makePool } from "../src/PostgresPool.js"
import { makeSql } from "../src/PostgresSql.js"
import { addColumns, breakingChanges, schemaOf, useSchema } from "./SchemaChanges.js"

/** The first version that processes share. Before it one process owned the database, and nothing was upgraded under others. */
const firstShared = 2

/** Migrates a database to a version. */
const migrateTo = (url: string, version: number) =>
  Effect.gen(function*() {
    const pool = yield* makePool({ url, connections: 1, applicationName: "trunkline tests" })
    yield* Effect.provideService(
      migrate(postgresMigrations.slice(0, version)),
      Sql,
      makeSql(pool, { fence: null })
    )
  }).pipe(Effect.scoped)

const migrationOf = (...statements: ReadonlyArray<string>): Migration => async (db) => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Migrates a database of the newest version by one step more; returns what breaks statements of the version before. */
const breaksAfter = (step: Migration) =>
  Effect.gen(function*() {
    const url = yield* migratedDatabase
    const before = yield* Effect.promise(() => schemaOf(url))
    const live = SqlPostgres.layerShared({ url, connections: 1 })
    yield* Effect.provide(migrate([...postgresMigrations, step]), live)
    return breakingChanges(before, yield* Effect.promise(() => schemaOf(url)))
  })

onPostgres(() => {
  describe("migrations of a database that processes share", () => {
    it.scopedLive("only add, so that statements of the version before go on", () =>
      Effect.gen(function*() {
        const url = yield* emptyDatabase
        yield* migrateTo(url, firstShared)
        for (let version = firstShared; version < postgresMigrations.length; version++) {
          const before = yield* Effect.promise(() => schemaOf(url))
          const rows = yield* Effect.promise(() => useSchema(url, before, version))
          yield* migrateTo(url, version + 1)
          const after = yield* Effect.promise(() => schemaOf(url))
          assert.deepStrictEqual(breakingChanges(before, after), [], `migration ${version + 1}`)
          // Rows of the version before stay as they were, and it adds more of them.
          const more = yield* Effect.promise(() => useSchema(url, before, version + 1_000))
          assert.includeMembers([...more], [...rows])
          assert.isAbove(more.length, rows.length)
        }
      }))

    it.scopedLive("are told from those that take something away, or ask for something new", () =>
      Effect.gen(function*() {
        const adds = migrationOf(
          "alter table attempts add column a text",
          "alter table attempts add column b bigint not null default 0",
          "create index attempts_by_a on attempts (a)",
          "create table extra (id bigint primary key, name text not null unique)"
        )
        assert.deepStrictEqual(yield* breaksAfter(adds), [])
        const changes = [
          ["alter table attempts drop column state", "attempts.state is gone"],
          ["alter table accounts rename column body to content", "accounts.body is gone"],
          ["alter table accounts add column a text not null", "accounts.a must be given"],
          ["alter table attempts alter column result set not null", "attempts.result is no longer nullable"],
          ["alter table dispatch alter column taken drop default", "dispatch.taken has another default"],
          ["alter table buckets alter column full_at type bigint", "buckets.full_at has another type"],
          ["alter table buckets add check (full_at > 0)", "buckets: CHECK ((full_at > (0)::double precision)) is new"],
          ["drop sequence cohort_numbers", "cohort_numbers is gone"]
        ] as const
        for (const [statement, problem] of changes) {
          assert.include(yield* breaksAfter(migrationOf(statement)), problem)
        }
      }))
  })

  describe("a process of an earlier version", () => {
    it.scopedLive("goes on to read and write tables that have got columns", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const services = yield* Layer.build(SqlPostgres.layer({ url, connections: 2 }))
        const { execute, serializable, transaction } = Context.get(services, Sql)
        const read = execute<{ readonly account_id: string }>("select * from accounts order by account_id", [])
        const work = (id: string) =>
          Effect.zipRight(
            execute("insert into accounts (account_id, body) values (?, '{}') returning *", [id]),
            read
          )
        yield* work("a")
        const later = [["one", work("b")], ["two", transaction(work("c"))], ["three", serializable(work("d"))]] as const
        for (const [column, run] of later) {
          yield* Effect.promise(() => onServer(`alter table accounts add column ${column} text default 'later'`, url))
          yield* run
        }
        const { rows } = yield* read
        assert.deepStrictEqual(rows.map(({ account_id }) => account_id), ["a", "b", "c", "d"])
      }))
  })

  describe("counts of a campaign", () => {
    it.scopedLive("are the sum of those that earlier versions and each process have written", () =>
      Effect.gen(function*() {
        const url = yield* migratedDatabase
        const campaign = CampaignId.make("camp-counts")
        for (
          const statement of [
            `insert into dispatch (campaign_id, completed_seq, row, taken, waiting, calling, finished, outcomes)
               values ('${campaign}', 1, 10, 10, 4, 5, 1, '{"busy":1,"completed":2}')`,
            `insert into settled_counts values
               ('${campaign}', 7, 'busy', 2, 1), ('${campaign}', 8, 'busy', 1, 0), ('${campaign}', 8, 'no_answer', 0, 1),
               ('camp-other', 8, 'busy', 100, 100)`
          ]
        ) yield* Effect.promise(() => onServer(statement, url))
        const { counts, totals } = Context.get(yield* Layer.build(StoragePostgres.layer({ url })), ContactStore)
        assert.deepStrictEqual(yield* totals(campaign), {
          contacts: { waiting: 7, calling: 0, finished: 3 },
          outcomes: { ...noOutcomes, busy: 5, completed: 2, no_answer: 1 },
          taken: 10
        })
        assert.deepStrictEqual(yield* counts(campaign), { waiting: 7, calling: 0, finished: 3 })
      }))
  })

  const withColumns = Layer.unwrapScoped(
    Effect.map(
      Effect.tap(migratedDatabase, (url) => Effect.promise(() => addColumns(url))),
      (url) => StoragePostgres.layer({ url })
    )
  )
  const laws = isFullSize ? storesLaws : rowLaws
  laws("PostgreSQL whose tables have columns of a later version", withColumns)
})
