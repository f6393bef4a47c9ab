import { type ContactListing, type GateReason, keptReasons, type Seated } from "@trunkline/campaigns"
import type { CampaignId } from "@trunkline/kernel"
import { type Kysely, type RawBuilder, sql } from "kysely"
import { readContact, selectContacts } from "./ContactRows.js"
import type { Database } from "./Database.js"

/** The reasons that the people asked for may have; null where all may. */
const reasonsOf = ({ reason, state }: ContactListing): ReadonlyArray<GateReason> | null => {
  if (state === null) return reason === null ? null : [reason]
  const theirs: ReadonlyArray<GateReason> = keptReasons[state]
  return reason === null ? theirs : theirs.filter((one) => one === reason)
}

/** The part of the order of enrolment that is asked for, and its order. */
const part = ({ after, before, limit }: ContactListing) =>
  before === null
    ? sql`and seat > ${after ?? 0} order by seat limit ${limit}`
    : sql`and seat < ${before} order by seat desc limit ${limit}`

/**
 * The seats of some people: those that each index finds, no more of them than are asked for. The indexes are named, since
 * a planner that does not know how rare something is would rather walk through everybody.
 */
const seatsOf = (campaign: CampaignId, listing: ContactListing): RawBuilder<{ readonly seat: number }> => {
  const { before, limit, search } = listing
  const within = part(listing)
  const reasons = reasonsOf(listing)
  const fits = reasons === null ? sql`` : sql`and reason in (${sql.join(reasons)})`
  const through = (index: string, condition: RawBuilder<unknown>) =>
    sql`select seat from (
      select seat from contacts indexed by ${sql.ref(index)}
      where campaign_id = ${campaign} and ${condition} ${within}
    )`
  const found = search !== ""
    ? [
      through("contacts_by_number", sql`user_phone_number = ${search} ${fits}`),
      through("contacts_by_identifier", sql`user_identifier = ${search} ${fits}`)
    ]
    : reasons === null
    ? [sql`select seat from (select seat from contacts where campaign_id = ${campaign} ${within})`]
    : reasons.map((reason) => through("contacts_by_reason", sql`reason = ${reason}`))
  const direction = sql.raw(before === null ? "asc" : "desc")
  return sql`${sql.join(found, sql` union `)} order by seat ${direction} limit ${limit}`
}

/** People in the order of enrolment, as `DispatchStore.list` gives them. */
export const listContacts = async (
  db: Kysely<Database>,
  campaign: CampaignId,
  listing: ContactListing
): Promise<ReadonlyArray<Seated>> => {
  if (reasonsOf(listing)?.length === 0) return []
  const { rows: seats } = await seatsOf(campaign, listing).execute(db)
  if (seats.length === 0) return []
  const rows = await selectContacts(db)
    .where("contacts.campaign_id", "=", campaign)
    .where("contacts.seat", "in", seats.map(({ seat }) => seat))
    .orderBy("contacts.seat")
    .execute()
  return rows.map((row) => ({ seat: row.seat, contact: readContact(row) }))
}
