import type { Claim, Contact, ContactCounts, Deferral, Settlement } from "@trunkline/campaigns"
import type { CampaignId, PhoneNumber } from "@trunkline/kernel"
import { type Kysely, sql } from "kysely"
import { bodyOfContact, contactColumns, contactValues, readContact } from "./ContactRows.js"
import type { Database } from "./Database.js"

/** Nobody is anywhere. */
export const nobody: ContactCounts = { waiting: 0, calling: 0, finished: 0 }

/** Adds to a campaign's counts. */
const count = async (db: Kysely<Database>, campaign_id: CampaignId, change: Partial<ContactCounts>) => {
  await db.updateTable("dispatch")
    .set((now) => ({
      waiting: now("waiting", "+", change.waiting ?? 0),
      calling: now("calling", "+", change.calling ?? 0),
      finished: now("finished", "+", change.finished ?? 0)
    }))
    .where("campaign_id", "=", campaign_id)
    .execute()
}

/** Each column of a contact from an array in JSON. */
const fromJson = sql.raw(contactColumns.map((_, index) => `value ->> ${index}`).join(", "))
const columns = sql.raw(contactColumns.join(", "))

/** Gives seats to the people whose numbers the campaign has not yet, and lets those who wait into the queue. */
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
    select ${campaign_id}, ${fromJson} from json_each(${values}) where true
    on conflict (campaign_id, user_phone_number) do nothing
    returning seat, state
  `.execute(db)
  const bodies = added.map(({ seat }) => {
    const contact = contacts[seat - first]
    return [seat, contact === undefined ? null : bodyOfContact(contact)]
  })
  await sql`
    insert into contact_people (campaign_id, seat, body)
    select ${campaign_id}, value ->> 0, value ->> 1 from json_each(${JSON.stringify(bodies)})
  `.execute(db)
  await sql`
    insert into ready (campaign_id, due_at, seat) select campaign_id, due_at, seat from contacts
    where campaign_id = ${campaign_id} and seat between ${first} and ${taken} and state = 'waiting'
  `.execute(db)
  const counts = { ...nobody }
  for (const { state } of added) counts[state] += 1
  await count(db, campaign_id, counts)
}

/** Those who wait and are due, in the order of the queue. */
export const readyContacts = async (
  db: Kysely<Database>,
  campaign: CampaignId,
  now: number,
  limit: number
): Promise<ReadonlyArray<Contact>> => {
  const { rows } = await sql<Parameters<typeof readContact>[0]>`
    select contacts.*, person.body from ready
    cross join contacts on contacts.campaign_id = ready.campaign_id and contacts.seat = ready.seat
    cross join contact_people as person on person.campaign_id = ready.campaign_id and person.seat = ready.seat
    where ready.campaign_id = ${campaign} and ready.due_at <= ${now}
    order by ready.due_at, ready.seat limit ${limit}
  `.execute(db)
  return rows.map(readContact)
}

/** Lets out of the queue those of these people who are in it. */
const leaveQueue = (db: Kysely<Database>, campaign: CampaignId, numbers: ReadonlyArray<PhoneNumber>) =>
  sql`
    delete from ready where (campaign_id, due_at, seat) in (
      select campaign_id, due_at, seat from json_each(${JSON.stringify(numbers)}) as number
      cross join contacts on campaign_id = ${campaign} and user_phone_number = number.value
      where state = 'waiting'
    )
  `.execute(db)

/** From `waiting` to `calling`, whoever waits. */
export const claimContacts = async (
  db: Kysely<Database>,
  campaign: CampaignId,
  claims: ReadonlyArray<Claim>,
  at: number
): Promise<ReadonlySet<PhoneNumber>> => {
  if (claims.length === 0) return new Set()
  await leaveQueue(db, campaign, claims.map((claim) => claim.user_phone_number))
  const values = JSON.stringify(claims.map((claim) => [claim.user_phone_number, claim.attempt_id, claim.from]))
  const { rows } = await sql<{ readonly user_phone_number: PhoneNumber }>`
    update contacts set
      state = 'calling',
      attempts = attempts + 1,
      attempt_id = claim.value ->> 1,
      called_from = iif(called_from = '', claim.value ->> 2, called_from || ' ' || (claim.value ->> 2)),
      verdict = 'allow', reason = 'allowed', decided_at = ${at}, not_before = null
    from json_each(${values}) as claim
    where campaign_id = ${campaign} and user_phone_number = claim.value ->> 0 and state = 'waiting'
    returning user_phone_number
  `.execute(db)
  if (rows.length > 0) await count(db, campaign, { waiting: -rows.length, calling: rows.length })
  return new Set(rows.map((row) => row.user_phone_number))
}

/** Gives somebody who waits another moment. */
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

/** From `calling` with this attempt to what follows. */
export const settleContact = async (db: Kysely<Database>, settlement: Settlement) => {
  const { attempt_id, campaign_id, decision, last_outcome, next, outcome, user_phone_number } = settlement
  const settled = await db.updateTable("contacts")
    .set({
      state: next === null ? "finished" : "waiting",
      attempt_id: null,
      verdict: decision.verdict,
      reason: decision.reason,
      decided_at: decision.at,
      not_before: decision.not_before,
      completion_status: last_outcome.completion_status,
      connectivity_status: last_outcome.connectivity_status,
      next_action_status: last_outcome.next_action_status,
      ...(next && {
        due_at: next.due_at,
        main_retries: next.counters.main,
        provider_retries: next.counters.provider,
        internal_retries: next.counters.internal
      })
    })
    .where((is) => is.and({ campaign_id, user_phone_number, attempt_id }))
    .returning("seat")
    .executeTakeFirst()
  if (settled === undefined) return
  if (next !== null) {
    await db.insertInto("ready").values({ campaign_id, due_at: next.due_at, seat: settled.seat }).execute()
  }
  await db.updateTable("dispatch")
    .set((now) => ({
      calling: now("calling", "-", 1),
      [next === null ? "finished" : "waiting"]: now(next === null ? "finished" : "waiting", "+", 1),
      [outcome]: now(outcome, "+", 1)
    }))
    .where("campaign_id", "=", campaign_id)
    .execute()
}

/** From `calling` with this attempt back to `waiting`. */
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
  await count(db, campaign_id, { calling: -1, waiting: 1 })
}

/** From `waiting` to `finished`, whoever waits. */
export const finishContacts = async (
  db: Kysely<Database>,
  campaign_id: CampaignId,
  numbers: ReadonlyArray<PhoneNumber>,
  decision: Settlement["decision"]
) => {
  await leaveQueue(db, campaign_id, numbers)
  const { numUpdatedRows } = await db.updateTable("contacts")
    .set({
      state: "finished",
      verdict: decision.verdict,
      reason: decision.reason,
      decided_at: decision.at,
      not_before: decision.not_before
    })
    .where((is) => is.and({ campaign_id, state: "waiting" }))
    .where("user_phone_number", "in", numbers)
    .executeTakeFirst()
  const finished = Number(numUpdatedRows)
  if (finished > 0) await count(db, campaign_id, { waiting: -finished, finished })
}
