import type { PhoneNumber, Scope } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "./Database.js"
import { columnsOf } from "./Rows.js"

const dayMillis = 86_400_000

/** How many days it is known that a number was dialled: longer than any day lasts anywhere. */
const KEPT_DAYS = 3

/** Old notes that are forgotten with each new one: more than are made, and few enough not to be felt. */
const FORGOTTEN_AT_ONCE = 100

/** Adds to what is known of the dials of numbers, and forgets a little of what is too old. */
export const noteDials = async (
  db: Kysely<Database>,
  scope: Scope,
  at: number,
  numbers: ReadonlyArray<PhoneNumber>
) => {
  const day = Math.floor(at / dayMillis)
  const { org_id, workspace_id } = columnsOf(scope)
  await sql`
    insert into number_dials (org_id, workspace_id, day, user_phone_number, at, dials)
    select ${org_id}, ${workspace_id}, ${day}, value, ${at}, 1 from json_each(${JSON.stringify(numbers)}) where true
    on conflict do update set dials = dials + 1
  `.execute(db)
  await sql`
    delete from number_dials where (org_id, workspace_id, day, user_phone_number, at) in (
      select org_id, workspace_id, day, user_phone_number, at from number_dials
      where org_id = ${org_id} and workspace_id = ${workspace_id} and day < ${day - KEPT_DAYS}
      limit ${FORGOTTEN_AT_ONCE}
    )
  `.execute(db)
}

/** Takes back what is known of a dial. */
export const forgetDial = async (db: Kysely<Database>, scope: Scope, at: number, number: PhoneNumber) => {
  await db.updateTable("number_dials")
    .set((now) => ({ dials: now("dials", "-", 1) }))
    .where((is) => is.and({ ...columnsOf(scope), day: Math.floor(at / dayMillis), user_phone_number: number, at }))
    .execute()
}

/** How often each number was dialled from a moment on. */
export const dialsOf = async (
  db: Kysely<Database>,
  scope: Scope,
  since: number,
  numbers: ReadonlyArray<PhoneNumber>
): Promise<ReadonlyMap<PhoneNumber, number>> => {
  const counts = new Map<PhoneNumber, number>()
  const first = Math.floor(since / dayMillis)
  for (const day of [first, first + 1, first + 2]) {
    const rows = await db.selectFrom("number_dials").select(["user_phone_number", "dials"])
      .where((is) => is.and({ ...columnsOf(scope), day }))
      .where("user_phone_number", "in", numbers)
      .where("at", ">=", since)
      .execute()
    for (const { dials, user_phone_number } of rows) {
      if (dials > 0) counts.set(user_phone_number, (counts.get(user_phone_number) ?? 0) + dials)
    }
  }
  return counts
}
