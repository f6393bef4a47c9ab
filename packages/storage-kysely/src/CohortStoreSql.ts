import { Cohort, cohortColumns, type CohortOwner, cohortSortable, CohortStore, CohortUser } from "@trunkline/cohorts"
import { CohortId, macroTask, Scope } from "@trunkline/kernel"
import { Effect, Layer, Option, Schema } from "effect"
import { type Kysely, sql } from "kysely"
import { walkUsers } from "./CohortWalk.js"
import type { Database } from "./Database.js"
import { bodyOf, columnsOf, inBatches, pageOfRows, searchText } from "./Rows.js"
import { Sql } from "./Sql.js"

const { decode, encode, read } = bodyOf(Cohort)
const person = bodyOf(CohortUser)

const decodeScope = Schema.decodeSync(Scope)

const rowOf = (cohort: Cohort) => ({
  cohort_id: cohort.cohort_id,
  valid_records: cohort.result?.valid_records ?? 0,
  search: searchText(cohortColumns.text(cohort)),
  name: cohort.name,
  status: cohort.status,
  created_at: cohort.created_at.epochMillis,
  updated_at: cohort.updated_at.epochMillis,
  body: encode(cohort)
})

const ownedBy = (scope: Scope, { id, kind }: CohortOwner) => ({ ...columnsOf(scope), owner_kind: kind, owner_id: id })

const nextSeq = async (db: Kysely<Database>) => {
  const { last } = await db.selectFrom("cohorts")
    .select((of) => of.fn.max("completed_seq").as("last"))
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** People who are removed by one statement, so that none keeps the event loop for long. */
const removedAtOnce = 500

/** `CohortStore` in SQL. */
export const CohortStoreSql = {
  layer: Layer.effect(
    CohortStore,
    Effect.gen(function*() {
      const { query, transaction } = yield* Sql

      const processing = (scope: Scope, cohort_id: CohortId) =>
        query((db) =>
          db.selectFrom("cohorts").select("body")
            .where((is) => is.and({ cohort_id, ...columnsOf(scope), status: "processing" }))
            .executeTakeFirst()
        ).pipe(Effect.map(read))

      const dropUsers = (cohort_id: string): Effect.Effect<void> =>
        query((db) =>
          db.deleteFrom("cohort_users")
            .where("cohort_id", "=", cohort_id)
            .where("row", "in", (from) =>
              from.selectFrom("cohort_users").select("row")
                .where("cohort_id", "=", cohort_id)
                .orderBy("row")
                .limit(removedAtOnce))
            .executeTakeFirst()
        ).pipe(
          Effect.zipLeft(macroTask),
          Effect.repeat({ while: ({ numDeletedRows }) => numDeletedRows > 0 }),
          Effect.asVoid
        )

      return CohortStore.of({
        insert: (scope, owner, cohort) =>
          Effect.asVoid(
            query((db) => db.insertInto("cohorts").values({ ...ownedBy(scope, owner), ...rowOf(cohort) }).execute())
          ),
        addUsers: (scope, id, users) =>
          transaction(Effect.gen(function*() {
            if (Option.isNone(yield* processing(scope, id))) return false
            yield* inBatches(users, (batch) =>
              query((db) =>
                db.insertInto("cohort_users")
                  .values(batch.map((user) => ({
                    cohort_id: id,
                    row: user.row,
                    user_phone_number: user.user_phone_number,
                    body: person.encode(user)
                  })))
                  .execute()
              ))
            return true
          })),
        finish: (scope, id, outcome) =>
          transaction(Effect.gen(function*() {
            return yield* Effect.transposeMapOption(yield* processing(scope, id), (before) =>
              Effect.gen(function*() {
                const cohort = new Cohort({ ...before, ...outcome })
                yield* query(async (db) => {
                  const completed_seq = outcome.status === "completed" ? await nextSeq(db) : null
                  await db.updateTable("cohorts").set({ ...rowOf(cohort), completed_seq })
                    .where("cohort_id", "=", id)
                    .execute()
                })
                if (outcome.status === "failed") yield* dropUsers(id)
                return cohort
              }))
          })),
        unfinished: query((db) =>
          db.selectFrom("cohorts").select(["org_id", "workspace_id", "cohort_id"]).where("status", "=", "processing")
            .execute()
        ).pipe(
          Effect.map((rows) =>
            rows.map(({ cohort_id, ...scope }) => ({ scope: decodeScope(scope), cohort_id: CohortId.make(cohort_id) }))
          )
        ),
        find: (scope, owner, cohort_id) =>
          query((db) =>
            db.selectFrom("cohorts").select("body")
              .where((is) => is.and({ cohort_id, ...ownedBy(scope, owner) }))
              .executeTakeFirst()
          ).pipe(Effect.map(read)),
        list: (scope, owner, page) =>
          query((db) =>
            pageOfRows(
              db.selectFrom("cohorts").where((is) => is.and(ownedBy(scope, owner))),
              page,
              { id: "cohort_id", sortable: cohortSortable, decode }
            )
          ),
        usersAfter: (scope, owner, walk) => query((db) => walkUsers(db, ownedBy(scope, owner), walk)),
        progress: (scope, owner) =>
          query((db) =>
            db.selectFrom("cohorts")
              .select([
                sql<number>`count(*)`.as("cohorts"),
                sql<number>`count(*) filter (where status = 'processing')`.as("processing"),
                sql<number>`count(*) filter (where status = 'completed')`.as("completed"),
                sql<number>`coalesce(sum(valid_records), 0)`.as("users")
              ])
              .where((is) => is.and(ownedBy(scope, owner)))
              .executeTakeFirstOrThrow()
          ),
        findCaller: (scope, owner, phone) =>
          query((db) =>
            db.selectFrom("cohort_users")
              .innerJoin("cohorts", "cohorts.cohort_id", "cohort_users.cohort_id")
              .select(["cohort_users.cohort_id", "cohort_users.body"])
              .where("user_phone_number", "=", phone)
              .where((is) => is.and(ownedBy(scope, owner)))
              .where("completed_seq", "is not", null)
              .orderBy("created_at", "desc")
              .orderBy("completed_seq", "desc")
              .orderBy("row")
              .limit(1)
              .executeTakeFirst()
          ).pipe(
            Effect.map(Option.fromNullable),
            Effect.map(Option.map((row) => ({
              cohort_id: CohortId.make(row.cohort_id),
              user: person.decode(row.body)
            })))
          ),
        removeOwner: (scope, owner) =>
          transaction(Effect.gen(function*() {
            const removed = yield* query((db) =>
              db.deleteFrom("cohorts").where((is) => is.and(ownedBy(scope, owner))).returning("cohort_id").execute()
            )
            return yield* Effect.forEach(removed, ({ cohort_id }) =>
              Effect.as(dropUsers(cohort_id), CohortId.make(cohort_id)))
          }))
      })
    })
  )
}
