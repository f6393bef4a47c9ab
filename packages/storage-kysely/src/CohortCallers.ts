import type { CohortCategory } from "@trunkline/cohorts"
import type { PhoneNumber } from "@trunkline/kernel"
import { type Kysely, type RawBuilder, sql } from "kysely"
import { digitsOf } from "./CohortPeople.js"
import type { OwnerColumns } from "./CohortWalk.js"
import type { Database } from "./Database.js"

/**
 * The owner's completed cohorts that have a number. They are tried one by one, the newest first: so it takes no longer
 * when thousands of other cohorts, of anybody, have the number too.
 */
const withNumber = (owner: OwnerColumns, category: CohortCategory, phone: PhoneNumber): RawBuilder<unknown> =>
  sql`
    cohorts cross join cohort_callers as callers
    on callers.phone = ${digitsOf(phone)} and callers.cohort_number = cohorts.number
    where org_id = ${owner.org_id} and workspace_id = ${owner.workspace_id}
    and owner_kind = ${owner.owner_kind} and owner_id = ${owner.owner_id}
    and cohort_category = ${category} and completed_seq is not null
  `

/** Where the person with a number is: in the newest cohort that has one; of equally new, in the last completed. */
export const newestCaller = async (db: Kysely<Database>, owner: OwnerColumns, phone: PhoneNumber) => {
  const { rows: [found] } = await sql<{ cohort_id: string; cohort_number: number; row: number }>`
    select cohorts.cohort_id, callers.cohort_number, callers.row
    from ${withNumber(owner, "cohort", phone)}
    order by created_at desc, completed_seq desc limit 1
  `.execute(db)
  if (found === undefined) return undefined
  const person = await db.selectFrom("cohort_people").select(["row", "phone", "body"])
    .where("cohort_number", "=", found.cohort_number)
    .where("row", "=", found.row)
    .executeTakeFirst()
  return person === undefined ? undefined : { cohort_id: found.cohort_id, person }
}

/** Whether one of the owner's stop files has a number. */
export const hasStopped = async (db: Kysely<Database>, owner: OwnerColumns, phone: PhoneNumber): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${withNumber(owner, "stop_file", phone)} limit 1`.execute(db)
  return rows.length > 0
}
