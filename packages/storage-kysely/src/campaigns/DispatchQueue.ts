import type { Contact, ContactCounts, Deferral, RosterCursor, Settlement } from "@trunkline/campaigns"
import type { CampaignId, PhoneNumber } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { insertMany, sqlText } from "../sql/Rows.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { statement, type Statements } from "../sql/Statement.js"
import { contactBody, contactColumns, contactValues } from "./ContactRows.js"

/** The counts of a campaign without contacts. */
export const noContacts: ContactCounts = { waiting: 0, calling: 0, finished: 0 }

/** Adds to the counts of a campaign. */
const addCounts = async (db: Kysely<Database>, campaign_id: CampaignId, change: Partial<ContactCounts>) => {
  await db.updateTable("dispatch")
    .set((eb) => ({
      waiting: eb("waiting", "+", change.waiting ?? 0),
      calling: eb("calling", "+", change.calling ?? 0),
      finished: eb("finished", "+", change.finished ?? 0)
    }))
    .where("campaign_id", "=", campaign_id)
    .execute()
}

const insertContacts = insertMany<{ readonly seat: number }>(
  `insert into contacts (campaign_id, ${contactColumns.join(", ")})`,
  contactColumns.length + 1,
  "on conflict (campaign_id, user_phone_number) do nothing returning seat"
)
const insertPeople = insertMany("insert into contact_people (campaign_id, seat, body)", 3)
const insertReady = insertMany("insert into ready (campaign_id, due_at, seat)", 3)

/** Stores the position in the roster, and reserves a seat for each contact; `taken` is the last reserved one. */
const moveCursor = `
  insert into dispatch (campaign_id, completed_seq, row, taken) values (?, ?, ?, ?)
  on conflict (campaign_id) do update
  set completed_seq = excluded.completed_seq, row = excluded.row, taken = dispatch.taken + excluded.taken
  returning taken
`
const countEnrolled = `
  update dispatch set waiting = waiting + ?, calling = calling + ?, finished = finished + ? where campaign_id = ?
`

/** Adds the contacts with new numbers, queues those that wait, and stores the position in the roster. */
export function* enrolContacts(
  campaign_id: CampaignId,
  contacts: ReadonlyArray<Contact>,
  { completed_seq, row }: RosterCursor
): Statements<void> {
  const { rows: [dispatch] } = yield* statement<{ readonly taken: number }>(
    moveCursor,
    [campaign_id, completed_seq, row, contacts.length]
  )
  const first = (dispatch?.taken ?? 0) - contacts.length + 1
  const seats = yield* insertContacts(contacts, (values, contact, index) => {
    values.push(campaign_id, ...contactValues(contact, first + index))
  })
  const newContacts = seats.flatMap(({ seat }) => {
    const contact = contacts[seat - first]
    return contact === undefined ? [] : [{ seat, contact }]
  })
  yield* insertPeople(newContacts, (values, { contact, seat }) => {
    values.push(campaign_id, seat, contactBody(contact))
  })
  const waiting = newContacts.filter(({ contact }) => contact.state === "waiting")
  yield* insertReady(waiting, (values, { contact, seat }) => {
    values.push(campaign_id, contact.due_at, seat)
  })
  const finishedCount = newContacts.filter(({ contact }) => contact.state === "finished").length
  const calling = newContacts.length - waiting.length - finishedCount
  yield* statement(countEnrolled, [waiting.length, calling, finishedCount, campaign_id])
}

/** Removes waiting contacts from the queue. */
const leaveQueue = (
  db: Kysely<Database>,
  { orderedJoin, textRows }: SqlDialect,
  { campaign, numbers }: { readonly campaign: CampaignId; readonly numbers: ReadonlyArray<PhoneNumber> }
) =>
  sql`
    delete from ready where (campaign_id, due_at, seat) in (
      select campaign_id, due_at, seat from ${sqlText(textRows("number"), JSON.stringify(numbers))}
      ${sqlText(orderedJoin("contacts", { on: "campaign_id = ? and user_phone_number = number.value" }), campaign)}
      where state = 'waiting'
    )
  `.execute(db)

/** Changes the due time of a waiting contact. */
export const deferContact = async (
  db: Kysely<Database>,
  dialect: SqlDialect,
  { campaign_id, deferral }: { readonly campaign_id: CampaignId; readonly deferral: Deferral }
) => {
  const { decision, due_at, user_phone_number } = deferral
  await leaveQueue(db, dialect, { campaign: campaign_id, numbers: [user_phone_number] })
  const contactRow = await db.updateTable("contacts")
    .set({
      due_at,
      verdict: decision.verdict,
      reason: decision.reason,
      decided_at: decision.at,
      not_before: decision.not_before
    })
    .where((eb) => eb.and({ campaign_id, user_phone_number, state: "waiting" }))
    .returning("seat")
    .executeTakeFirst()
  if (contactRow !== undefined) {
    await db.insertInto("ready").values({ campaign_id, due_at, seat: contactRow.seat }).execute()
  }
}

/** Moves a contact from `calling` with this attempt back to `waiting`. */
export const releaseContact = async (
  db: Kysely<Database>,
  { at, attempt_id, campaign_id, user_phone_number }:
    & Pick<Settlement, "attempt_id" | "campaign_id" | "user_phone_number">
    & {
      readonly at: number
    }
) => {
  // The last number of `called_from` goes: its digits, then the space before them. Only a contact that is called has an attempt.
  const { rows: [released] } = await sql<{ readonly seat: number; readonly due_at: number }>`
    update contacts set
      state = 'waiting',
      attempts = attempts - 1,
      attempt_id = null,
      called_from = rtrim(rtrim(called_from, '+0123456789')),
      verdict = case when attempts = 1 then 'allow' else 'not_before' end,
      reason = case when attempts = 1 then 'new' else 'retry_interval' end,
      decided_at = ${at},
      not_before = case when attempts = 1 then null else due_at end
    where campaign_id = ${campaign_id} and user_phone_number = ${user_phone_number} and attempt_id = ${attempt_id}
    returning seat, due_at
  `.execute(db)
  if (released === undefined) return
  await db.insertInto("ready").values({ campaign_id, ...released }).execute()
  await addCounts(db, campaign_id, { calling: -1, waiting: 1 })
}

const leaveQueueAt = ({ integerRows, orderedJoin }: SqlDialect) => `
  delete from ready where (campaign_id, due_at, seat) in (
    select campaign_id, due_at, contacts.seat from ${integerRows("place")}
    ${orderedJoin("contacts", { on: "campaign_id = ? and contacts.seat = place.value" })}
  )
`
/** The numbers are looked up one by one; without the hint SQLite may read the whole campaign instead. */
const finishText = ({ indexedBy, textRows }: SqlDialect) => `
  update contacts ${indexedBy("contacts_by_number")}
  set state = 'finished', verdict = ?, reason = ?, decided_at = ?, not_before = ?
  where campaign_id = ? and user_phone_number in (select value from ${textRows("number")}) and state = 'waiting'
  returning seat
`
const countFinished = "update dispatch set waiting = waiting - ?, finished = finished + ? where campaign_id = ?"

/** Makes a function that moves waiting contacts to `finished`. */
export const finishContacts = (dialect: SqlDialect) => {
  const [finish, leaveQueue] = [finishText(dialect), leaveQueueAt(dialect)]
  return function*(
    campaign_id: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>,
    { at, not_before, reason, verdict }: Settlement["decision"]
  ): Statements<void> {
    const { rows } = yield* statement<{ readonly seat: number }>(
      finish,
      [verdict, reason, at, not_before, campaign_id, JSON.stringify(numbers)]
    )
    if (rows.length === 0) return
    yield* statement(leaveQueue, [JSON.stringify(rows.map(({ seat }) => seat)), campaign_id])
    yield* statement(countFinished, [rows.length, rows.length, campaign_id])
  }
}
