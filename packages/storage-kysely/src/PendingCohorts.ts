import { Cohort, type PendingCohort } from "@trunkline/cohorts"
import type { CohortId, Scope } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "./Database.js"
import { bodyOf, columnsOf, scopeOf } from "./Rows.js"

const { decode } = bodyOf(Cohort)

/** Written out and not bound: only so does the index of cohorts in processing fit. */
const isProcessing = sql<boolean>`status = 'processing'`

const selectPending = (db: Kysely<Database>) =>
  db.selectFrom("cohorts").where(isProcessing)
    .select(["org_id", "workspace_id", "owner_kind", "owner_id", "source_url", "body"])

type PendingRow = Awaited<ReturnType<ReturnType<typeof selectPending>["executeTakeFirstOrThrow"]>>

const readPending = ({ body, org_id, owner_id, owner_kind, source_url, workspace_id }: PendingRow): PendingCohort => ({
  scope: scopeOf({ org_id, workspace_id }),
  owner: { kind: owner_kind, id: owner_id },
  cohort: decode(body),
  source_url
})

/** A cohort in processing. */
export const findPending = async (
  db: Kysely<Database>,
  scope: Scope,
  cohort_id: CohortId
): Promise<PendingCohort | undefined> => {
  const row = await selectPending(db).where((is) => is.and({ cohort_id, ...columnsOf(scope) })).executeTakeFirst()
  return row === undefined ? undefined : readPending(row)
}

/** Every cohort in processing, the oldest first. */
export const allPending = async (db: Kysely<Database>): Promise<ReadonlyArray<PendingCohort>> => {
  const rows = await selectPending(db).orderBy("created_at").orderBy("cohort_id").execute()
  return rows.map(readPending)
}

/** The number of a cohort in processing. */
export const numberOf = async (
  db: Kysely<Database>,
  scope: Scope,
  cohort_id: CohortId
): Promise<number | undefined> => {
  const row = await db.selectFrom("cohorts").select("number").where(isProcessing)
    .where((is) => is.and({ cohort_id, ...columnsOf(scope) }))
    .executeTakeFirst()
  return row?.number
}

/** A number under which nobody is kept, nor left over. */
export const freeNumber = async (db: Kysely<Database>): Promise<number> => {
  const { last } = await db.selectFrom(
    db.selectFrom("cohorts").select((of) => of.fn.max("number").as("number"))
      .unionAll(db.selectFrom("cohort_leftovers").select((of) => of.fn.max("cohort_number").as("number")))
      .as("numbers")
  ).select((of) => of.fn.max("number").as("last")).executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}
