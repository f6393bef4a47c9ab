import { Cohort, type PendingCohort } from "@trunkline/cohorts"
import type { CohortId, Scope } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { jsonColumn, scopeColumns, scopeOf } from "../sql/Rows.js"
import { type Statement, statement } from "../sql/Statement.js"

const { decode } = jsonColumn(Cohort)

/** A literal and not a parameter, so that the partial index of processing cohorts applies. */
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

/** A processing cohort. */
export const findPending = async (
  db: Kysely<Database>,
  scope: Scope,
  cohort_id: CohortId
): Promise<PendingCohort | undefined> => {
  const row = await selectPending(db).where((is) => is.and({ cohort_id, ...scopeColumns(scope) })).executeTakeFirst()
  return row === undefined ? undefined : readPending(row)
}

/** Every processing cohort, oldest first. */
export const listPending = async (db: Kysely<Database>): Promise<ReadonlyArray<PendingCohort>> => {
  const rows = await selectPending(db).orderBy("created_at").orderBy("cohort_id").execute()
  return rows.map(readPending)
}

/** The number of a processing cohort. */
export const findNumber = async (
  db: Kysely<Database>,
  scope: Scope,
  cohort_id: CohortId
): Promise<number | undefined> => {
  const row = await db.selectFrom("cohorts").select("number").where(isProcessing)
    .where((is) => is.and({ cohort_id, ...scopeColumns(scope) }))
    .executeTakeFirst()
  return row?.number
}

/** The status is a literal, so that the partial index of processing cohorts may apply. */
const findProcessing = `
  select number from cohorts where cohort_id = ? and org_id = ? and workspace_id = ? and status = 'processing'
`

/** Yields the number of a processing cohort, for `Sql.statements`. */
export const processingNumber = (
  { org_id, workspace_id }: Scope,
  id: CohortId
): Statement<{ readonly number: number }> => statement(findProcessing, [id, org_id, workspace_id])

/** A number that no cohort has, and that no users are stored under. */
export const nextNumber = async (db: Kysely<Database>): Promise<number> => {
  const { last } = await db.selectFrom(
    db.selectFrom("cohorts").select((of) => of.fn.max("number").as("number"))
      .unionAll(db.selectFrom("cohort_leftovers").select((of) => of.fn.max("cohort_number").as("number")))
      .as("numbers")
  ).select((of) => of.fn.max("number").as("last")).executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}
