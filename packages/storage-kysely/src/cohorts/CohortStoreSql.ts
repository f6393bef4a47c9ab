import {
  Cohort,
  cohortColumns,
  type CohortOwner,
  cohortSortable,
  CohortStore,
  noProgress,
  type PendingCohort
} from "@trunkline/cohorts"
import { CohortId, Processes, type Scope } from "@trunkline/kernel"
import { Effect, Layer, Option } from "effect"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { pageOfRows, scopeColumns, searchText, sqlText } from "../sql/Rows.js"
import { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"
import { cohortBody } from "./CohortBody.js"
import {
  filterStopped,
  findNewestCaller,
  indexUsers,
  readUser,
  storeUsers,
  sweepUsers,
  walkUsers
} from "./CohortUsers.js"
import {
  adoptPending,
  findNumber,
  findPending,
  listExpected,
  listPending,
  nextNumber,
  nextPlace,
  processingNumber
} from "./PendingCohorts.js"

const { decode, encode, read } = cohortBody

const rowOf = (cohort: Cohort) => ({
  cohort_id: cohort.cohort_id,
  cohort_category: cohort.cohort_category,
  valid_records: cohort.result?.valid_records ?? 0,
  search: searchText(cohortColumns.text(cohort)),
  name: cohort.name,
  status: cohort.status,
  created_at: cohort.created_at.epochMillis,
  updated_at: cohort.updated_at.epochMillis,
  body: encode(cohort)
})

const ownedBy = (scope: Scope, { id, kind }: CohortOwner) => ({
  ...scopeColumns(scope),
  owner_kind: kind,
  owner_id: id
})

/** The body of a cohort with another field, without reading it first. */
const withField = <Name extends keyof Cohort>({ withField }: SqlDialect, name: Name, value: Cohort[Name]) =>
  sqlText<string>(withField("body", name), JSON.stringify(value))

const markLeftover = (db: Kysely<Database>, cohort_number: number) =>
  db.insertInto("cohort_leftovers").values({ cohort_number })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** `CohortStore` in SQL. */
export const CohortStoreSql = {
  layer: Layer.effect(
    CohortStore,
    Effect.gen(function*() {
      const database = yield* Sql
      const { dialect, query, statements, transaction } = database
      const { id: process } = yield* Processes
      const ofProcess = process === null ? {} : { process_id: process }
      const setProgress = `update cohorts set body = ${dialect.withField("body", "progress")} where number = ?`

      /** Runs the queries of a change in one transaction. */
      const change = <A>(run: (db: Kysely<Database>) => Promise<A>) => transaction(query(run))

      /** Changes a cohort if it is processing; false when it is not. */
      const whileProcessing = (
        scope: Scope,
        id: CohortId,
        run: (db: Kysely<Database>, number: number) => Promise<unknown>
      ) =>
        change(async (db) => {
          const number = await findNumber(db, dialect, { scope, cohort_id: id })
          if (number !== undefined) await run(db, number)
          return number !== undefined
        })

      /** Runs statements for a cohort if it is processing; false when it is not. */
      const storeWhileProcessing = (scope: Scope, id: CohortId, store: (number: number) => Statements<unknown>) =>
        statements(function*() {
          const { rows: [cohort] } = yield* processingNumber(dialect, scope, id)
          if (cohort !== undefined) yield* store(cohort.number)
          return cohort !== undefined
        })

      const insert = (
        { cohort, owner, scope, source_url }: PendingCohort,
        importer: { readonly process_id?: number }
      ) =>
        Effect.asVoid(change(async (db) => {
          await db.deleteFrom("expected_cohorts").where("cohort_id", "=", cohort.cohort_id).execute()
          const number = await nextNumber(db, dialect)
          await db.insertInto("cohorts")
            .values({ ...ownedBy(scope, owner), ...rowOf(cohort), number, source_url, ...importer })
            .execute()
        }))

      return CohortStore.of({
        expect: (cohort_id) =>
          Effect.asVoid(query((db) =>
            db.insertInto("expected_cohorts").values({ cohort_id, ...ofProcess })
              .onConflict((conflict) => conflict.doNothing())
              .execute()
          )),
        unexpect: (id) =>
          Effect.asVoid(query((db) => db.deleteFrom("expected_cohorts").where("cohort_id", "=", id).execute())),
        expectedIds: query((db) => listExpected(db, process)),
        insert: (acceptedCohort) => insert(acceptedCohort, ofProcess),
        insertForOthers: (acceptedCohort) => insert(acceptedCohort, {}),
        recordFile: (scope, id, separator) =>
          whileProcessing(scope, id, (db, number) =>
            db.updateTable("cohorts")
              .set({ source_url: null, body: withField(dialect, "separator", separator) })
              .where("number", "=", number)
              .execute()),
        keep: (scope, id, { progress, users }) =>
          storeWhileProcessing(scope, id, function*(number) {
            yield* statement(setProgress, [JSON.stringify(progress), number])
            yield* storeUsers(number, users)
          }),
        index: (scope, id, callers) => storeWhileProcessing(scope, id, (number) => indexUsers(number, callers)),
        restart: (scope, id) =>
          whileProcessing(scope, id, async (db, before) => {
            const number = await nextNumber(db, dialect)
            await markLeftover(db, before)
            await db.updateTable("cohorts").set({ number, body: withField(dialect, "progress", noProgress) })
              .where("number", "=", before)
              .execute()
          }),
        finish: (scope, id, outcome) =>
          change(async (db) => {
            const pending = await findPending(db, scope, id, dialect.forUpdate)
            if (pending === undefined) return Option.none()
            const cohort = new Cohort({ ...pending.cohort, ...outcome, progress: null })
            const completed_seq = outcome.status === "completed" ? await nextPlace(db, dialect) : null
            const { number } = await db.updateTable("cohorts")
              .set({ ...rowOf(cohort), source_url: null, completed_seq })
              .where("cohort_id", "=", id)
              .returning("number")
              .executeTakeFirstOrThrow()
            if (outcome.status === "failed") await markLeftover(db, number)
            return Option.some(cohort)
          }),
        findPending: (scope, id) => Effect.map(query((db) => findPending(db, scope, id)), Option.fromNullable),
        pending: query(listPending),
        adopt: process === null ? query(listPending) : change((db) => adoptPending(db, dialect, process)),
        find: (scope, owner, cohort_id) =>
          query((db) =>
            db.selectFrom("cohorts").select("body")
              .where((eb) => eb.and({ cohort_id, ...ownedBy(scope, owner) }))
              .executeTakeFirst()
          ).pipe(Effect.map(read)),
        list: (scope, owner, page) =>
          query((db) =>
            pageOfRows(
              db.selectFrom("cohorts").where((eb) => eb.and(ownedBy(scope, owner))),
              page,
              { id: "cohort_id", dialect, sortable: cohortSortable, decode }
            )
          ),
        usersAfter: (scope, owner, walk) => query((db) => walkUsers(db, ownedBy(scope, owner), walk)),
        tally: (scope, owner) =>
          query((db) =>
            db.selectFrom("cohorts")
              .select([
                sql<number>`count(*)`.as("cohorts"),
                sql<number>`count(*) filter (where status = 'processing')`.as("processing"),
                sql<number>`count(*) filter (where status = 'completed')`.as("completed"),
                sql<number>`coalesce(sum(valid_records), 0)`.as("users")
              ])
              .where((eb) => eb.and({ ...ownedBy(scope, owner), cohort_category: "cohort" }))
              .executeTakeFirstOrThrow()
          ),
        findCaller: (scope, owner, phone) =>
          query((db) => findNewestCaller(db, dialect, { owner: ownedBy(scope, owner), phone })).pipe(
            Effect.map(Option.fromNullable),
            Effect.map(Option.map(({ cohort_id, user }) => ({
              cohort_id: CohortId.make(cohort_id),
              user: readUser(user)
            })))
          ),
        filterStopped: (scope, owner, phones) => filterStopped(database, ownedBy(scope, owner), phones),
        removeOwner: (scope, owner) =>
          change(async (db) => {
            const cohorts = await db.deleteFrom("cohorts").where((eb) => eb.and(ownedBy(scope, owner)))
              .returning(["cohort_id", "number"])
              .execute()
            for (const { number } of cohorts) await markLeftover(db, number)
            return cohorts.map(({ cohort_id }) => CohortId.make(cohort_id))
          }),
        sweep: change(sweepUsers)
      })
    })
  )
}
