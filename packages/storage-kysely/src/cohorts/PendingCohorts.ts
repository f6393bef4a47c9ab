import type { PendingCohort } from "@trunkline/cohorts"
import { CohortId, type Scope } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { lockName } from "../sql/NamedLock.js"
import { scopeColumns, scopeOf } from "../sql/Rows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { type SqlStatement, statement } from "../sql/Statement.js"
import { cohortBody } from "./CohortBody.js"

/** A literal and not a parameter, so that the partial index of processing cohorts applies. */
const isProcessing = sql<boolean>`status = 'processing'`

const selectPending = (db: Kysely<Database>) =>
  db.selectFrom("cohorts").where(isProcessing)
    .select(["org_id", "workspace_id", "owner_kind", "owner_id", "source_url", "body"])

type PendingRow = Awaited<ReturnType<ReturnType<typeof selectPending>["executeTakeFirstOrThrow"]>>

const readPending = ({ body, org_id, owner_id, owner_kind, source_url, workspace_id }: PendingRow): PendingCohort => ({
  scope: scopeOf({ org_id, workspace_id }),
  owner: { kind: owner_kind, id: owner_id },
  cohort: cohortBody.decode(body),
  source_url
})

/** A processing cohort. */
export const findPending = async (
  db: Kysely<Database>,
  scope: Scope,
  cohort_id: CohortId,
  lock = ""
): Promise<PendingCohort | undefined> => {
  const row = await selectPending(db).where((eb) => eb.and({ cohort_id, ...scopeColumns(scope) }))
    .modifyEnd(sql.raw(lock))
    .executeTakeFirst()
  return row === undefined ? undefined : readPending(row)
}

/** Every processing cohort, oldest first. */
export const listPending = async (db: Kysely<Database>): Promise<ReadonlyArray<PendingCohort>> => {
  const rows = await selectPending(db).orderBy("created_at").orderBy("cohort_id").execute()
  return rows.map(readPending)
}

const isGone = (table: string) =>
  sql<boolean>`not exists (select 1 from processes where processes.process_id = ${sql.ref(`${table}.process_id`)})`

/** Takes over the processing cohorts of processes that are gone, oldest first. */
export const adoptPending = async (
  db: Kysely<Database>,
  { skipLocked }: SqlDialect,
  process_id: number
): Promise<ReadonlyArray<PendingCohort>> => {
  const rows = await selectPending(db).select("cohort_id").where(isGone("cohorts"))
    .orderBy("created_at")
    .orderBy("cohort_id")
    .modifyEnd(sql.raw(skipLocked))
    .execute()
  const ids = rows.map(({ cohort_id }) => cohort_id)
  if (ids.length > 0) await db.updateTable("cohorts").set({ process_id }).where("cohort_id", "in", ids).execute()
  return rows.map(readPending)
}

/** The ids of expected cohorts; where processes share the database, of this one and of those that are gone. */
export const listExpected = async (db: Kysely<Database>, process: number | null): Promise<ReadonlyArray<CohortId>> => {
  const cohorts = db.selectFrom("expected_cohorts").select("cohort_id")
  const ours = process === null
    ? cohorts
    : cohorts.where((eb) => eb.or([eb("process_id", "=", process), isGone("expected_cohorts")]))
  return (await ours.execute()).map(({ cohort_id }) => CohortId.make(cohort_id))
}

/** The number of a processing cohort, whose row is locked where transactions run side by side. */
export const findNumber = async (
  db: Kysely<Database>,
  { forUpdate }: SqlDialect,
  { cohort_id, scope }: { readonly scope: Scope; readonly cohort_id: CohortId }
): Promise<number | undefined> => {
  const row = await db.selectFrom("cohorts").select("number").where(isProcessing)
    .where((eb) => eb.and({ cohort_id, ...scopeColumns(scope) }))
    .modifyEnd(sql.raw(forUpdate))
    .executeTakeFirst()
  return row?.number
}

/** The status is a literal, so that the partial index of processing cohorts may apply. */
const findProcessing = ({ forUpdate }: SqlDialect) => `
  select number from cohorts
  where cohort_id = ? and org_id = ? and workspace_id = ? and status = 'processing' ${forUpdate}
`

/** Yields the number of a processing cohort, for `Sql.statements`. */
export const processingNumber = (
  dialect: SqlDialect,
  { org_id, workspace_id }: Scope,
  id: CohortId
): SqlStatement<{ readonly number: number }> => statement(findProcessing(dialect), [id, org_id, workspace_id])

const nextOf = async (db: Kysely<Database>, text: string): Promise<number> => {
  const { rows: [next] } = await sql.raw<{ readonly number: number }>(text).execute(db)
  return next?.number ?? 1
}

/** A number that no cohort has, and that no users are stored under. */
export const nextNumber = (db: Kysely<Database>, dialect: SqlDialect): Promise<number> => {
  const numbers = "select max(number) as number from cohorts union all select max(cohort_number) from cohort_leftovers"
  return nextOf(db, dialect.nextNumber("cohort_numbers", `select max(number) from (${numbers}) as number_rows`))
}

/**
 * The place of a cohort in the order of completion. Others complete once this transaction has ended, since readers go on
 * from the last place that they have seen.
 */
export const nextPlace = async (db: Kysely<Database>, dialect: SqlDialect): Promise<number> => {
  await lockName(db, dialect, "cohort_completions")
  return nextOf(db, dialect.nextNumber("cohort_completions", "select max(completed_seq) from cohorts"))
}
