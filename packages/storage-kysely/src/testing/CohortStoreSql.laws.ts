import { assert, describe, it } from "@effect/vitest"
import { CohortStore, type CohortUser } from "@trunkline/cohorts"
import { CohortId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime, Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { CohortStoreSql } from "../cohorts/CohortStoreSql.js"
import { migrate, migrations } from "../migrations/Migrate.js"
import { Sql } from "../sql/Sql.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const owner = { kind: "campaign", id: "camp-a1b2c3d4e5f6" } as const
const interrupted = CohortId.make("coh-cut")

const phoneOf = (row: number) => PhoneNumber.make(`+91${9876500000 + row}`)
const userOf = (row: number): CohortUser => ({
  row,
  user_phone_number: phoneOf(row),
  user_identifier: `user "${row}"`,
  agent_variables: { customer_name: "हिन्दी", "odd \"key\"": "\\" },
  app_overrides: row === 1 ? { initial_language_name: "Hindi" } : {}
})

/** The body of a cohort as version 2 wrote it. */
const oldBody = (cohort_id: string, status: string) =>
  JSON.stringify({
    name: cohort_id,
    cohort_id,
    status,
    source_type: "file_upload",
    created_by: "tests",
    created_at: "2026-01-31T12:00:00.000Z",
    updated_at: "2026-01-31T12:00:00.000Z",
    result: status === "completed" ? { total_records: 2, valid_records: 2, rejected_records: 0 } : null,
    updated_by: null,
    failure_reason: status === "failed" ? "The file is broken" : null
  })

const addCohort = (id: string, status: string, completed_seq: number | null) =>
  sql`insert into cohorts
    (cohort_id, org_id, workspace_id, owner_kind, owner_id, completed_seq, valid_records, search, name, status,
      created_at, updated_at, body)
    values (${id}, 'acme', 'main', 'campaign', ${owner.id}, ${completed_seq}, ${completed_seq === null ? 0 : 2}, ${id},
      ${id}, ${status}, 0, 0, ${oldBody(id, status)})`

const addUser = (id: string, row: number) =>
  sql`insert into cohort_users (cohort_id, row, user_phone_number, body)
    values (${id}, ${row}, ${phoneOf(row)}, ${JSON.stringify(userOf(row))})`

/** Migrates a database of version 2, with a cohort of each status, to the newest version. */
const upgrade = Effect.gen(function*() {
  const { query } = yield* Sql
  yield* migrate(migrations.slice(0, 2))
  yield* query(async (db) => {
    await addCohort("coh-failed", "failed", null).execute(db)
    await addCohort("coh-done", "completed", 7).execute(db)
    await addCohort(interrupted, "processing", null).execute(db)
    await addUser("coh-done", 1).execute(db)
    await addUser("coh-done", 2).execute(db)
    await addUser(interrupted, 1).execute(db)
  })
  yield* migrate()
})

const count = (table: string) =>
  Effect.flatMap(
    Sql,
    ({ query }) => query((db) => sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db))
  ).pipe(
    Effect.map(({ rows: [row] }) => row?.rows)
  )

const progress = { total_records: 1, valid_records: 1, rejected_records: 0, percent: 100 }

/** The laws of `CohortStoreSql` beyond those of every `CohortStore`, for an empty database behind some dialect. */
export const cohortStoreSqlLaws = <E>(name: string, empty: Layer.Layer<Sql, E>): void => {
  const live = Layer.provideMerge(CohortStoreSql.layer, empty)
  describe(`CohortStoreSql laws: ${name}`, () => {
    it.effect("keeps cohorts of an earlier version, with their users", () =>
      Effect.gen(function*() {
        yield* upgrade
        const cohorts = yield* CohortStore
        const cohort = Option.getOrThrow(yield* cohorts.find(scope, owner, CohortId.make("coh-done")))
        assert.deepStrictEqual([cohort.separator, cohort.timezone], ["comma", "Asia/Kolkata"])
        assert.deepStrictEqual(
          yield* cohorts.usersAfter(scope, owner, { category: "cohort", after: null, limit: 10 }),
          [1, 2].map((row) => ({
            cursor: { completed_seq: 7, row },
            cohort_id: CohortId.make("coh-done"),
            user: userOf(row)
          }))
        )
        const caller = yield* cohorts.findCaller(scope, owner, phoneOf(2))
        assert.deepStrictEqual(Option.map(caller, ({ user }) => user), Option.some(userOf(2)))
        assert.deepStrictEqual(
          yield* cohorts.tally(scope, owner),
          { cohorts: 3, processing: 1, completed: 1, users: 2 }
        )
      }).pipe(Effect.provide(live)))

    it.effect("starts over a cohort that an earlier version was processing", () =>
      Effect.gen(function*() {
        yield* upgrade
        const cohorts = yield* CohortStore
        const [pending, ...others] = yield* cohorts.pending
        assert.deepStrictEqual([pending?.cohort.cohort_id, pending?.cohort.progress?.total_records, others], [
          interrupted,
          0,
          []
        ])
        yield* cohorts.keep(scope, interrupted, { users: [userOf(1)], progress })
        yield* cohorts.finish(scope, interrupted, {
          status: "completed",
          result: { total_records: 1, valid_records: 1, rejected_records: 0 },
          updated_at: DateTime.unsafeMake("2026-01-31T12:00:00Z")
        })
        const after = { completed_seq: 7, row: 2 }
        const page = yield* cohorts.usersAfter(scope, owner, { category: "cohort", after, limit: 10 })
        assert.deepStrictEqual(page, [{
          cursor: { completed_seq: 8, row: 1 },
          cohort_id: interrupted,
          user: userOf(1)
        }])
      }).pipe(Effect.provide(live)))

    it.effect("leaves no rows of removed or restarted cohorts after the sweep", () =>
      Effect.gen(function*() {
        yield* upgrade
        const cohorts = yield* CohortStore
        const users = Array.from({ length: 500 }, (_, index) => userOf(index + 1))
        const fill = Effect.zipRight(
          cohorts.keep(scope, interrupted, { users, progress }),
          cohorts.index(scope, interrupted, users)
        )
        const sweepAll = Effect.repeat(cohorts.sweep, { while: (some) => some })
        yield* fill
        yield* cohorts.restart(scope, interrupted)
        yield* fill
        assert.strictEqual(yield* count("cohort_people"), 1_002)
        yield* sweepAll
        assert.deepStrictEqual(yield* Effect.forEach(["cohort_people", "cohort_callers"], count), [502, 502])
        yield* cohorts.removeOwner(scope, owner)
        yield* sweepAll
        const tables = ["cohorts", "cohort_people", "cohort_callers", "cohort_leftovers"]
        assert.deepStrictEqual(yield* Effect.forEach(tables, count), [0, 0, 0, 0])
      }).pipe(Effect.provide(live)))
  })
}
