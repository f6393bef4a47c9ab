import type { Contact, ContactCounts, Deferral, Settlement } from "@trunkline/campaigns"
import type { CampaignId, PhoneNumber } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import { statement, type Statements } from "../sql/Statement.js"
import { contactBody, contactColumns, contactValues } from "./ContactRows.js"

/** The counts of a campaign without contacts. */
export const noContacts: ContactCounts = { waiting: 0, calling: 0, finished: 0 }

/** Adds to the counts of a campaign. */
const addCounts = async (db: Kysely<Database>, campaign_id: CampaignId, change: Partial<ContactCounts>) => {
  await db.updateTable("dispatch")
    .set((now) => ({
      waiting: now("waiting", "+", change.waiting ?? 0),
      calling: now("calling", "+", change.calling ?? 0),
      finished: now("finished", "+", change.finished ?? 0)
    }))
    .where("campaign_id", "=", campaign_id)
    .execute()
}

/** The columns of a contact, read from a JSON array. */
const jsonValues = sql.raw(contactColumns.map((_, index) => `value ->> ${index}`).join(", "))
const columns = sql.raw(contactColumns.join(", "))

/** Adds the contacts whose numbers the campaign does not have yet, and queues those that wait. */
export const enrolContacts = async (
  db: Kysely<Database>,
  campaign_id: CampaignId,
  contacts: ReadonlyArray<Contact>
): Promise<void> => {
  const { taken } = await db.updateTable("dispatch")
    .set((now) => ({ taken: now("taken", "+", contacts.length) }))
    .where("campaign_id", "=", campaign_id)
    .returning("taken")
    .executeTakeFirstOrThrow()
  const first = taken - contacts.length + 1
  const values = JSON.stringify(contacts.map((contact, index) => contactValues(contact, first + index)))
  const { rows: added } = await sql<{ readonly seat: number; readonly state: keyof ContactCounts }>`
    insert into contacts (campaign_id, ${columns})
    select ${campaign_id}, ${jsonValues} from json_each(${values}) where true
    on conflict (campaign_id, user_phone_number) do nothing
    returning seat, state
  `.execute(db)
  const bodies = added.map(({ seat }) => {
    const contact = contacts[seat - first]
    return [seat, contact === undefined ? null : contactBody(contact)]
  })
  await sql`
    insert into contact_people (campaign_id, seat, body)
    select ${campaign_id}, value ->> 0, value ->> 1 from json_each(${JSON.stringify(bodies)})
  `.execute(db)
  await sql`
    insert into ready (campaign_id, due_at, seat) select campaign_id, due_at, seat from contacts
    where campaign_id = ${campaign_id} and seat between ${first} and ${taken} and state = 'waiting'
  `.execute(db)
  const counts = { ...noContacts }
  for (const { state } of added) counts[state] += 1
  await addCounts(db, campaign_id, counts)
}

/** Removes waiting contacts from the queue. */
const leaveQueue = (db: Kysely<Database>, campaign: CampaignId, numbers: ReadonlyArray<PhoneNumber>) =>
  sql`
    delete from ready where (campaign_id, due_at, seat) in (
      select campaign_id, due_at, seat from json_each(${JSON.stringify(numbers)}) as number
      cross join contacts on campaign_id = ${campaign} and user_phone_number = number.value
      where state = 'waiting'
    )
  `.execute(db)

/** Changes the due time of a waiting contact. */
export const deferContact = async (db: Kysely<Database>, campaign_id: CampaignId, deferral: Deferral) => {
  const { decision, due_at, user_phone_number } = deferral
  await leaveQueue(db, campaign_id, [user_phone_number])
  const moved = await db.updateTable("contacts")
    .set({
      due_at,
      verdict: decision.verdict,
      reason: decision.reason,
      decided_at: decision.at,
      not_before: decision.not_before
    })
    .where((is) => is.and({ campaign_id, user_phone_number, state: "waiting" }))
    .returning("seat")
    .executeTakeFirst()
  if (moved !== undefined) await db.insertInto("ready").values({ campaign_id, due_at, seat: moved.seat }).execute()
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
  const { rows: [released] } = await sql<{ readonly seat: number; readonly due_at: number }>`
    update contacts set
      state = 'waiting',
      attempts = attempts - 1,
      attempt_id = null,
      called_from = rtrim(rtrim(called_from, '+0123456789')),
      verdict = iif(attempts = 1, 'allow', 'not_before'),
      reason = iif(attempts = 1, 'new', 'retry_interval'),
      decided_at = ${at},
      not_before = iif(attempts = 1, null, due_at)
    where campaign_id = ${campaign_id} and user_phone_number = ${user_phone_number} and attempt_id = ${attempt_id}
    returning seat, due_at
  `.execute(db)
  if (released === undefined) return
  await db.insertInto("ready").values({ campaign_id, ...released }).execute()
  await addCounts(db, campaign_id, { calling: -1, waiting: 1 })
}

/** The seats of the waiting contacts with some numbers, which are looked up one by one. */
const waitingSeats = `
  select seat from json_each(?) as number
  cross join contacts on campaign_id = ? and user_phone_number = number.value
  where state = 'waiting'
`
const leaveQueueAt = `
  delete from ready where (campaign_id, due_at, seat) in (
    select campaign_id, due_at, contacts.seat from json_each(?) as seat
    cross join contacts on campaign_id = ? and contacts.seat = seat.value
  )
`
const finishAt = `
  update contacts set state = 'finished', verdict = ?, reason = ?, decided_at = ?, not_before = ?
  where campaign_id = ? and seat in (select value from json_each(?))
`
const countFinished = "update dispatch set waiting = waiting - ?, finished = finished + ? where campaign_id = ?"

/** Moves waiting contacts to `finished`. */
export function* finishContacts(
  campaign_id: CampaignId,
  numbers: ReadonlyArray<PhoneNumber>,
  { at, not_before, reason, verdict }: Settlement["decision"]
): Statements<void> {
  const { rows } = yield* statement<{ readonly seat: number }>(waitingSeats, [JSON.stringify(numbers), campaign_id])
  if (rows.length === 0) return
  const seats = JSON.stringify(rows.map(({ seat }) => seat))
  yield* statement(leaveQueueAt, [seats, campaign_id])
  const { numAffectedRows } = yield* statement(finishAt, [verdict, reason, at, not_before, campaign_id, seats])
  const finished = Number(numAffectedRows)
  yield* statement(countFinished, [finished, finished, campaign_id])
}
