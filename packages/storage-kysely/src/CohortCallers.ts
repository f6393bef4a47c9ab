import type { PhoneNumber } from "@trunkline/kernel"
import { Effect } from "effect"
import { type Kysely, type RawBuilder, sql } from "kysely"
import { digitsOf } from "./CohortPeople.js"
import type { OwnerColumns } from "./CohortWalk.js"
import type { Database } from "./Database.js"
import type { Sql } from "./Sql.js"

/**
 * The owner's completed cohorts that have a number. They are tried one by one, the newest first: so it takes no longer
 * when thousands of other cohorts, of anybody, have the number too.
 */
const withNumber = (owner: OwnerColumns, phone: PhoneNumber): RawBuilder<unknown> =>
  sql`
    cohorts cross join cohort_callers as callers
    on callers.phone = ${digitsOf(phone)} and callers.cohort_number = cohorts.number
    where org_id = ${owner.org_id} and workspace_id = ${owner.workspace_id}
    and owner_kind = ${owner.owner_kind} and owner_id = ${owner.owner_id}
    and cohort_category = 'cohort' and completed_seq is not null
  `

/** Where the person with a number is: in the newest cohort that has one; of equally new, in the last completed. */
export const newestCaller = async (db: Kysely<Database>, owner: OwnerColumns, phone: PhoneNumber) => {
  const { rows: [found] } = await sql<{ cohort_id: string; cohort_number: number; row: number }>`
    select cohorts.cohort_id, callers.cohort_number, callers.row
    from ${withNumber(owner, phone)}
    order by created_at desc, completed_seq desc limit 1
  `.execute(db)
  if (found === undefined) return undefined
  const person = await db.selectFrom("cohort_people").select(["row", "phone", "body"])
    .where("cohort_number", "=", found.cohort_number)
    .where("row", "=", found.row)
    .executeTakeFirst()
  return person === undefined ? undefined : { cohort_id: found.cohort_id, person }
}

const stopped = `
  select 1 from cohorts cross join cohort_callers as callers
  on callers.phone = ? and callers.cohort_number = cohorts.number
  where org_id = ? and workspace_id = ? and owner_kind = ? and owner_id = ?
  and cohort_category = 'stop_file' and completed_seq is not null limit 1
`

/** Whether one of the owner's stop files has a number. */
export const hasStopped = (
  { execute }: Pick<typeof Sql.Service, "execute">,
  { org_id, owner_id, owner_kind, workspace_id }: OwnerColumns,
  phone: PhoneNumber
): Effect.Effect<boolean> =>
  Effect.map(
    execute(stopped, [digitsOf(phone), org_id, workspace_id, owner_kind, owner_id]),
    ({ rows }) => rows.length > 0
  )
