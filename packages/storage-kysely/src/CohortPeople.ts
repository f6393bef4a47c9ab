import type { CallerEntry, CohortUser } from "@trunkline/cohorts"
import { PhoneNumber, trusted } from "@trunkline/kernel"
import type { Kysely } from "kysely"
import type { Database } from "./Database.js"
import { insertMany } from "./ManyRows.js"

type Body = readonly [
  user_identifier: CohortUser["user_identifier"],
  agent_variables: CohortUser["agent_variables"],
  app_overrides: CohortUser["app_overrides"]
]

const bodyOf = ({ agent_variables, app_overrides, user_identifier }: CohortUser): string => {
  const body: Body = [user_identifier, agent_variables, app_overrides]
  return JSON.stringify(body)
}

/** The digits of a phone number, which an integer holds. */
export const digitsOf = (phone: PhoneNumber): number => Number(phone.slice(1))

/** The person of a row as `keepPeople` wrote it. Not checked again, since there may be millions of them. */
export const readPerson = (
  { body, phone, row }: { readonly body: string; readonly phone: number; readonly row: number }
): CohortUser => {
  const [user_identifier, agent_variables, app_overrides]: Body = JSON.parse(body)
  const user_phone_number = PhoneNumber.make(`+${phone}`, trusted)
  return { row, user_phone_number, user_identifier, agent_variables, app_overrides }
}

const insertPeople = insertMany("insert into cohort_people (cohort_number, row, phone, body)", 4)
const insertCallers = insertMany("insert or ignore into cohort_callers (phone, cohort_number, row)", 3)

/** Keeps people under the number of their cohort. */
export const keepPeople = (db: Kysely<Database>, number: number, users: ReadonlyArray<CohortUser>): Promise<void> =>
  insertPeople(db, users, (values, user) => {
    values.push(number, user.row, digitsOf(user.user_phone_number), bodyOf(user))
  })

/** Makes people findable by their numbers. Fast in ascending order only. */
export const indexPeople = (
  db: Kysely<Database>,
  number: number,
  callers: ReadonlyArray<CallerEntry>
): Promise<void> =>
  insertCallers(db, callers, (values, { row, user_phone_number }) => {
    values.push(digitsOf(user_phone_number), number, row)
  })

/** People who are removed by one step: their entries are all over the index, and each dirties a page of it. */
const sweptAtOnce = 200

/** Removes a few of the people of cohorts that are left over, and what finds them; false when there are none. */
export const sweepPeople = async (db: Kysely<Database>): Promise<boolean> => {
  const { cohort_number } = await db.selectFrom("cohort_leftovers")
    .select((of) => of.fn.min("cohort_number").$castTo<number | null>().as("cohort_number"))
    .executeTakeFirstOrThrow()
  if (cohort_number === null) return false
  const last = await db.selectFrom("cohort_people").select("row").where("cohort_number", "=", cohort_number)
    .orderBy("row").offset(sweptAtOnce - 1).limit(1).executeTakeFirst()
  const row = last?.row ?? Number.MAX_SAFE_INTEGER
  await db.deleteFrom("cohort_callers")
    .where("phone", "in", (from) =>
      from.selectFrom("cohort_people").select("phone")
        .where("cohort_number", "=", cohort_number).where("row", "<=", row))
    .where("cohort_number", "=", cohort_number)
    .execute()
  await db.deleteFrom("cohort_people").where("cohort_number", "=", cohort_number).where("row", "<=", row).execute()
  if (last === undefined) await db.deleteFrom("cohort_leftovers").where("cohort_number", "=", cohort_number).execute()
  return true
}
