import type { CallerEntry, CohortCategory, CohortOwner, CohortUser, UserCursor, WalkedUser } from "@trunkline/cohorts"
import { CohortId, PhoneNumber, unchecked } from "@trunkline/kernel"
import { Effect } from "effect"
import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { insertMany, sqlText } from "../sql/Rows.js"
import type { Sql } from "../sql/Sql.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import type { Statements } from "../sql/Statement.js"

/** The columns that identify the owner of cohorts. */
interface OwnerColumns {
  readonly org_id: string
  readonly workspace_id: string
  readonly owner_kind: CohortOwner["kind"]
  readonly owner_id: string
}

type Body = readonly [
  user_identifier: CohortUser["user_identifier"],
  agent_variables: CohortUser["agent_variables"],
  app_overrides: CohortUser["app_overrides"]
]

const userBody = ({ agent_variables, app_overrides, user_identifier }: CohortUser): string => {
  const body: Body = [user_identifier, agent_variables, app_overrides]
  return JSON.stringify(body)
}

/** The digits of a phone number, as an integer. */
const digitsOf = (phone: PhoneNumber): number => {
  let digits = 0
  for (let index = 1; index < phone.length; index += 1) digits = digits * 10 + phone.charCodeAt(index) - 0x30
  return digits
}

/** The user of a row, unchecked because it was checked when written and there may be millions. */
export const readUser = (
  { body, phone, row }: { readonly body: string; readonly phone: number; readonly row: number }
): CohortUser => {
  const [user_identifier, agent_variables, app_overrides]: Body = JSON.parse(body)
  const user_phone_number = PhoneNumber.make(`+${phone}`, unchecked)
  return { row, user_phone_number, user_identifier, agent_variables, app_overrides }
}

const insertUsers = insertMany("insert into cohort_people (cohort_number, row, phone, body)", 4)
const insertCallers = insertMany(
  "insert into cohort_callers (phone, cohort_number, row)",
  3,
  "on conflict (phone, cohort_number) do nothing"
)

/** Stores users under the number of their cohort. */
export const storeUsers = (number: number, users: ReadonlyArray<CohortUser>): Statements<unknown> =>
  insertUsers(users, (values, user) => {
    values.push(number, user.row, digitsOf(user.user_phone_number), userBody(user))
  })

/** Indexes users by phone number. Fast only in ascending order. */
export const indexUsers = (number: number, callers: ReadonlyArray<CallerEntry>): Statements<unknown> =>
  insertCallers(callers, (values, { row, user_phone_number }) => {
    values.push(digitsOf(user_phone_number), number, row)
  })

/** Users deleted per step. Their entries are spread over the index, and each one dirties a page. */
const usersPerSweep = 200

/** Deletes some users of removed cohorts, with their index entries; false when none are left. */
export const sweepUsers = async (db: Kysely<Database>): Promise<boolean> => {
  const { cohort_number } = await db.selectFrom("cohort_leftovers")
    .select((of) => of.fn.min("cohort_number").$castTo<number | null>().as("cohort_number"))
    .executeTakeFirstOrThrow()
  if (cohort_number === null) return false
  const last = await db.selectFrom("cohort_people").select("row").where("cohort_number", "=", cohort_number)
    .orderBy("row").offset(usersPerSweep - 1).limit(1).executeTakeFirst()
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

/**
 * The owner's completed cohorts that contain a number. They are tried one by one, the newest first, so that thousands of
 * other cohorts with the same number make no difference.
 */
const cohortsWithNumber = (
  { orderedJoin }: SqlDialect,
  owner: OwnerColumns,
  phone: PhoneNumber
): RawBuilder<unknown> =>
  sql`
    cohorts ${
    sqlText(
      orderedJoin("cohort_callers", {
        as: "callers",
        on: "callers.phone = ? and callers.cohort_number = cohorts.number"
      }),
      digitsOf(phone)
    )
  }
    where org_id = ${owner.org_id} and workspace_id = ${owner.workspace_id}
    and owner_kind = ${owner.owner_kind} and owner_id = ${owner.owner_id}
    and cohort_category = 'cohort' and completed_seq is not null
  `

/** The user with a number in the newest cohort that contains it; among equally new ones, in the last completed. */
export const findNewestCaller = async (
  db: Kysely<Database>,
  dialect: SqlDialect,
  { owner, phone }: { readonly owner: OwnerColumns; readonly phone: PhoneNumber }
) => {
  const { rows: [firstRow] } = await sql<{ cohort_id: string; cohort_number: number; row: number }>`
    select cohorts.cohort_id, callers.cohort_number, callers.row
    from ${cohortsWithNumber(dialect, owner, phone)}
    order by created_at desc, completed_seq desc limit 1
  `.execute(db)
  if (firstRow === undefined) return undefined
  const user = await db.selectFrom("cohort_people").select(["row", "phone", "body"])
    .where("cohort_number", "=", firstRow.cohort_number)
    .where("row", "=", firstRow.row)
    .executeTakeFirst()
  return user === undefined ? undefined : { cohort_id: firstRow.cohort_id, user }
}

const findStopped = ({ integerRows, orderedJoin }: SqlDialect) => `
  select number.value as phone from cohorts cross join ${integerRows("number")}
  ${
  orderedJoin("cohort_callers", {
    as: "callers",
    on: "callers.phone = number.value and callers.cohort_number = cohorts.number"
  })
}
  where org_id = ? and workspace_id = ? and owner_kind = ? and owner_id = ?
  and cohort_category = 'stop_file' and completed_seq is not null
`

/** The numbers that a stop file of the owner contains. */
export const filterStopped = (
  { dialect, execute }: Pick<typeof Sql.Service, "dialect" | "execute">,
  { org_id, owner_id, owner_kind, workspace_id }: OwnerColumns,
  phones: ReadonlyArray<PhoneNumber>
): Effect.Effect<ReadonlySet<PhoneNumber>> => {
  const numbers = new Map(phones.map((phone) => [digitsOf(phone), phone]))
  const values = [JSON.stringify(Array.from(numbers.keys())), org_id, workspace_id, owner_kind, owner_id]
  return Effect.map(
    execute<{ readonly phone: number }>(findStopped(dialect), values),
    ({ rows }) => new Set(rows.flatMap((row) => numbers.get(row.phone) ?? []))
  )
}

/**
 * The next users of an owner's completed cohorts. One query per cohort reads a single range of an index, however many
 * users come before and after.
 */
export const walkUsers = async (
  db: Kysely<Database>,
  owner: OwnerColumns,
  { after, category, limit }: {
    readonly category: CohortCategory
    readonly after: UserCursor | null
    readonly limit: number
  }
): Promise<ReadonlyArray<WalkedUser>> => {
  const page: Array<WalkedUser> = []
  let { completed_seq, row } = after ?? { completed_seq: 0, row: 0 }
  while (page.length < limit) {
    const cohort = await db.selectFrom("cohorts").select(["number", "cohort_id", "completed_seq"])
      .where((eb) => eb.and({ ...owner, cohort_category: category }))
      .where("completed_seq", ">=", completed_seq)
      .orderBy("completed_seq")
      .limit(1)
      .$narrowType<{ completed_seq: number }>()
      .executeTakeFirst()
    if (cohort === undefined) break
    const users = await db.selectFrom("cohort_people").select(["row", "phone", "body"])
      .where("cohort_number", "=", cohort.number)
      .where("row", ">", cohort.completed_seq === completed_seq ? row : 0)
      .orderBy("row")
      .limit(limit - page.length)
      .execute()
    const cohort_id = CohortId.make(cohort.cohort_id)
    for (const user of users) {
      const cursor = { completed_seq: cohort.completed_seq, row: user.row }
      page.push({ cursor, cohort_id, user: readUser(user) })
    }
    completed_seq = cohort.completed_seq + 1
    row = 0
  }
  return page
}
