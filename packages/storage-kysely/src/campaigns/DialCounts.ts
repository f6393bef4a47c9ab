import type { PhoneNumber, Scope } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { scopeColumns } from "../sql/Rows.js"

const dayMillis = 86_400_000

/** Days for which dials are kept: longer than a day in any time zone. */
const keptDays = 3

/** Old rows deleted with each insert: more than are added, and few enough to stay fast. */
const deletedPerInsert = 100

/** Records dials of numbers, and deletes some rows that are too old. */
export const recordDials = async (
  db: Kysely<Database>,
  scope: Scope,
  at: number,
  numbers: ReadonlyArray<PhoneNumber>
) => {
  const day = Math.floor(at / dayMillis)
  const { org_id, workspace_id } = scopeColumns(scope)
  await sql`
    insert into number_dials (org_id, workspace_id, day, user_phone_number, at, dials)
    select ${org_id}, ${workspace_id}, ${day}, value, ${at}, 1 from json_each(${JSON.stringify(numbers)}) where true
    on conflict do update set dials = dials + 1
  `.execute(db)
  await sql`
    delete from number_dials where (org_id, workspace_id, day, user_phone_number, at) in (
      select org_id, workspace_id, day, user_phone_number, at from number_dials
      where org_id = ${org_id} and workspace_id = ${workspace_id} and day < ${day - keptDays}
      limit ${deletedPerInsert}
    )
  `.execute(db)
}

/** Removes a recorded dial. */
export const removeDial = async (db: Kysely<Database>, scope: Scope, at: number, number: PhoneNumber) => {
  await db.updateTable("number_dials")
    .set((now) => ({ dials: now("dials", "-", 1) }))
    .where((is) => is.and({ ...scopeColumns(scope), day: Math.floor(at / dayMillis), user_phone_number: number, at }))
    .execute()
}

/** Counts the dials of each number since a time. */
export const countDials = async (
  db: Kysely<Database>,
  scope: Scope,
  since: number,
  numbers: ReadonlyArray<PhoneNumber>
): Promise<ReadonlyMap<PhoneNumber, number>> => {
  const counts = new Map<PhoneNumber, number>()
  const first = Math.floor(since / dayMillis)
  for (const day of [first, first + 1, first + 2]) {
    const rows = await db.selectFrom("number_dials").select(["user_phone_number", "dials"])
      .where((is) => is.and({ ...scopeColumns(scope), day }))
      .where("user_phone_number", "in", numbers)
      .where("at", ">=", since)
      .execute()
    for (const { dials, user_phone_number } of rows) {
      if (dials > 0) counts.set(user_phone_number, (counts.get(user_phone_number) ?? 0) + dials)
    }
  }
  return counts
}
