import type { CampaignId, PhoneNumber } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { Contact, ContactCounts, ContactListing, SeatedContact } from "../contacts/Contact.js"
import type { DispatchTotals } from "./DispatchTotals.js"
import { MemoryCampaigns } from "./memory/MemoryCampaigns.js"
import type { RosterCursor } from "./Roster.js"

/**
 * Stores the contacts of campaigns, how far their rosters and stop files have been read, and counts. `DialQueue` moves the
 * contacts from state to state. Every write joins the running transaction.
 */
export class ContactStore extends Context.Tag("@trunkline/campaigns/ContactStore")<ContactStore, {
  /** Adds contacts, except numbers that are already enrolled, and stores the position in the roster. */
  readonly enrol: (
    campaign: CampaignId,
    contacts: ReadonlyArray<Contact>,
    cursor: RosterCursor
  ) => Effect.Effect<void>
  /** The stored position in the roster; null before the first enrolment. */
  readonly cursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** The stored position in the stop files; null before the first read. */
  readonly stopCursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** Stores the position in the stop files. */
  readonly setStopCursor: (campaign: CampaignId, cursor: RosterCursor) => Effect.Effect<void>
  /** Finds a contact by number. */
  readonly find: (campaign: CampaignId, number: PhoneNumber) => Effect.Effect<Option.Option<Contact>>
  /** Lists contacts in the order of enrolment. */
  readonly list: (campaign: CampaignId, listing: ContactListing) => Effect.Effect<ReadonlyArray<SeatedContact>>
  /** Contacts by state. */
  readonly counts: (campaign: CampaignId) => Effect.Effect<ContactCounts>
  /** Contacts, outcomes and rows read from the roster. */
  readonly totals: (campaign: CampaignId) => Effect.Effect<DispatchTotals>
}>() {
  /** Stores contacts in memory, shared with the memory layers of `DialQueue` and `DialLog` that are built with it. */
  static readonly layerMemory = Layer.effect(
    ContactStore,
    Effect.map(MemoryCampaigns, ({ of }) =>
      ContactStore.of({
        enrol: (id, contacts, cursor) =>
          Effect.suspend(() => {
            const campaign = of(id)
            return Effect.zipRight(
              Effect.forEach(
                contacts,
                (contact) =>
                  campaign.find(contact.user_phone_number) === undefined ? campaign.add(contact) : Effect.void,
                { discard: true }
              ),
              campaign.advance({ cursor, taken: campaign.taken + contacts.length })
            )
          }),
        cursor: (id) => Effect.sync(() => of(id).cursor),
        stopCursor: (id) => Effect.sync(() => of(id).stopCursor),
        setStopCursor: (id, stopCursor) => Effect.suspend(() => of(id).advance({ stopCursor })),
        find: (id, number) => Effect.sync(() => Option.fromNullable(of(id).find(number))),
        list: (id, listing) => Effect.sync(() => of(id).list(listing)),
        counts: (id) => Effect.sync(() => ({ ...of(id).contacts })),
        totals: (id) =>
          Effect.sync(() => {
            const { contacts, outcomes, taken } = of(id)
            return { contacts: { ...contacts }, outcomes: { ...outcomes }, taken }
          })
      }))
  ).pipe(Layer.provide(MemoryCampaigns.layer))
}
