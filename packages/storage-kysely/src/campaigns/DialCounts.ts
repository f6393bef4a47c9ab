import type { PhoneNumber, Scope } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { scopeColumns, sqlText } from "../sql/Rows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"

const dayMillis = 86_400_000

/** Days for which dials are kept: longer than a day in any time zone. */
const keptDays = 3

/** Old rows deleted with each insert: more than are added, and few enough to stay fast. */
const deletedPerInsert = 100

/** The numbers by how often each occurs, since a statement can change a row only once. */
const byOccurrence = (numbers: ReadonlyArray<PhoneNumber>): ReadonlyMap<number, ReadonlyArray<PhoneNumber>> => {
  const times = new Map<PhoneNumber, number>()
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1)
  const groups = new Map<number, Array<PhoneNumber>>()
  for (const [number, count] of times) groups.set(count, [...(groups.get(count) ?? []), number])
  return groups
}

/** Records dials of numbers, and deletes some rows that are too old. */
export const recordDials = async (
  db: Kysely<Database>,
  { textRows }: SqlDialect,
  { at, numbers, scope }: { readonly scope: Scope; readonly at: number; readonly numbers: ReadonlyArray<PhoneNumber> }
) => {
  const day = Math.floor(at / dayMillis)
  const { org_id, workspace_id } = scopeColumns(scope)
  for (const [dials, some] of byOccurrence(numbers)) {
    await sql`
      insert into number_dials (org_id, workspace_id, day, user_phone_number, at, dials)
      select ${org_id}, ${workspace_id}, ${day}, value, ${at}, ${dials}
      from ${sqlText(textRows("number"), JSON.stringify(some))} where true
      on conflict (org_id, workspace_id, day, user_phone_number, at) do update
      set dials = number_dials.dials + excluded.dials
    `.execute(db)
  }
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
    .where((eb) => eb.and({ ...scopeColumns(scope), day: Math.floor(at / dayMillis), user_phone_number: number, at }))
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
  if (numbers.length === 0) return counts
  const first = Math.floor(since / dayMillis)
  for (const day of [first, first + 1, first + 2]) {
    const rows = await db.selectFrom("number_dials").select(["user_phone_number", "dials"])
      .where((eb) => eb.and({ ...scopeColumns(scope), day }))
      .where("user_phone_number", "in", numbers)
      .where("at", ">=", since)
      .execute()
    for (const { dials, user_phone_number } of rows) {
      if (dials > 0) counts.set(user_phone_number, (counts.get(user_phone_number) ?? 0) + dials)
    }
  }
  return counts
}
