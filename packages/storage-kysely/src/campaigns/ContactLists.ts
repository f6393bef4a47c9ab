import { type ContactListing, contactReasons, type GateReason, type SeatedContact } from "@trunkline/campaigns"
import type { CampaignId } from "@trunkline/kernel"
import { type Kysely, type RawBuilder, sql } from "kysely"
import type { Database } from "../schema/Database.js"
import type { SqlDialect } from "../sql/SqlDialect.js"
import { readContact, selectContacts } from "./ContactRows.js"

/** The reasons that match a listing; null for all. */
const matchingReasons = ({ reason, state }: ContactListing): ReadonlyArray<GateReason> | null => {
  if (state === null) return reason === null ? null : [reason]
  const possible: ReadonlyArray<GateReason> = contactReasons[state]
  return reason === null ? possible : possible.filter((one) => one === reason)
}

/** The requested range of the order of enrolment, and its direction. */
const rangeSql = ({ after, before, limit }: ContactListing) =>
  before === null
    ? sql`and seat > ${after ?? 0} order by seat limit ${limit}`
    : sql`and seat < ${before} order by seat desc limit ${limit}`

/**
 * The seats of a page: from each index, no more than the limit. The indexes are named, because a planner that does not
 * know how rare a value is would scan all contacts.
 */
const seatsSql = (
  { indexedBy }: SqlDialect,
  campaign: CampaignId,
  listing: ContactListing
): RawBuilder<{ readonly seat: number }> => {
  const { before, limit, search } = listing
  const within = rangeSql(listing)
  const reasons = matchingReasons(listing)
  const hasReason = reasons === null ? sql`` : sql`and reason in (${sql.join(reasons)})`
  const through = (index: string, condition: RawBuilder<unknown>) =>
    sql`select seat from (
      select seat from contacts ${sql.raw(indexedBy(index))}
      where campaign_id = ${campaign} and ${condition} ${within}
    ) as found_rows`
  const matching = search !== ""
    ? [
      through("contacts_by_number", sql`user_phone_number = ${search} ${hasReason}`),
      through("contacts_by_identifier", sql`user_identifier = ${search} ${hasReason}`)
    ]
    : reasons === null
    ? [sql`select seat from (select seat from contacts where campaign_id = ${campaign} ${within}) as found_rows`]
    : reasons.map((reason) => through("contacts_by_reason", sql`reason = ${reason}`))
  const direction = sql.raw(before === null ? "asc" : "desc")
  return sql`${sql.join(matching, sql` union `)} order by seat ${direction} limit ${limit}`
}

/** Contacts in the order of enrolment, for `ContactStore.list`. */
export const listContacts = async (
  db: Kysely<Database>,
  dialect: SqlDialect,
  { campaign, listing }: { readonly campaign: CampaignId; readonly listing: ContactListing }
): Promise<ReadonlyArray<SeatedContact>> => {
  if (matchingReasons(listing)?.length === 0) return []
  const { rows: seats } = await seatsSql(dialect, campaign, listing).execute(db)
  if (seats.length === 0) return []
  const rows = await selectContacts(db)
    .where("contacts.campaign_id", "=", campaign)
    .where("contacts.seat", "in", seats.map(({ seat }) => seat))
    .orderBy("contacts.seat")
    .execute()
  return rows.map((row) => ({ seat: row.seat, contact: readContact(row) }))
}
