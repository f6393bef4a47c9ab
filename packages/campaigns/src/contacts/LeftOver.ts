import type { Campaign } from "../campaign/Campaign.js"
import { isOver } from "../campaign/CampaignStates.js"
import type { ContactCounts, ContactListing, Seated } from "../dispatch/DispatchStore.js"
import { type GateReason, keptReasons } from "../gate/Decision.js"
import type { Contact } from "./Contact.js"

/*
 * Who waits when a campaign ends or is cancelled is kept as they were, since that may be a million people. Readers see
 * them as done with, by the end of the campaign, which is the first thing that the gate says of them.
 */

type Filters = Pick<ContactListing, "reason" | "state">
type Status = Campaign["status"]

const waitingReasons: ReadonlyArray<GateReason> = keptReasons.waiting
const leftOver: Filters = { state: "waiting", reason: null }

/** A person as readers see them. */
export const shownContact = (status: Status, contact: Contact): Contact =>
  isOver(status) && contact.state === "waiting" ? { ...contact, state: "finished" } : contact

/** How many people are where, as readers see them. */
export const shownCounts = (status: Status, { calling, finished, waiting }: ContactCounts): ContactCounts =>
  isOver(status) ? { waiting: 0, calling, finished: finished + waiting } : { waiting, calling, finished }

/** The lists of people as they are kept that together hold those whom a reader asks for; they have nobody in common. */
export const keptLists = (status: Status, asked: Filters): ReadonlyArray<Filters> => {
  if (!isOver(status)) return [asked]
  const { reason, state } = asked
  if (state === "waiting" || (reason !== null && waitingReasons.includes(reason))) return []
  if (state === "calling") return [asked]
  const isTheirEnd = reason === (status === "ended" ? "campaign_ended" : "campaign_cancelled")
  return isTheirEnd || (reason === null && state === "finished") ? [{ state: "finished", reason }, leftOver] : [asked]
}

/** The people of several lists, each of the nearest to a place, who are nearest to it among all of them. */
export const nearest = (
  lists: ReadonlyArray<ReadonlyArray<Seated>>,
  { before, limit }: Pick<ContactListing, "before" | "limit">
): ReadonlyArray<Seated> => {
  const seated = lists.flat().sort((one, other) => one.seat - other.seat)
  return before === null ? seated.slice(0, limit) : seated.slice(-limit)
}
