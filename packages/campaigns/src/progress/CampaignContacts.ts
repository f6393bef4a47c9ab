import { NotFound } from "@trunkline/errors"
import { BusinessTime, type CampaignId, maskPhone, type PhoneNumber, type Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { CampaignStore } from "../campaign/CampaignStore.js"
import {
  type ContactPage,
  type ContactQuery,
  type ContactRecord,
  contactRecord,
  mergePages,
  storedFilters,
  visibleContact
} from "../contacts/ContactRecord.js"
import { Gate } from "../gate/Gate.js"
import { ContactStore } from "../store/ContactStore.js"

/** The contacts of a campaign for readers: the state of each, the outcome of its calls, and why it is or is not called. */
export class CampaignContacts extends Context.Tag("@trunkline/campaigns/CampaignContacts")<CampaignContacts, {
  /**
   * A page of contacts in the order of enrolment, without those that are not enrolled yet. The filter `reason` matches
   * the reason stored with a contact; what blocks the whole campaign is computed when the page is read. Contacts that
   * wait when the campaign is over are shown as finished by its end.
   */
  readonly list: (scope: Scope, id: CampaignId, query: ContactQuery) => Effect.Effect<ContactPage, NotFound>
  /** One contact, by number. */
  readonly find: (scope: Scope, id: CampaignId, number: PhoneNumber) => Effect.Effect<ContactRecord, NotFound>
}>() {
  static readonly layer = Layer.effect(
    CampaignContacts,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const store = yield* ContactStore
      const gate = yield* Gate

      const findOwned = (scope: Scope, id: CampaignId) =>
        Effect.flatMap(
          campaigns.find(scope, id),
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "campaign", id })),
            onSome: (campaign) => Effect.succeed({ scope, campaign })
          })
        )

      return CampaignContacts.of({
        list: Effect.fn("CampaignContacts.list")(function*(scope: Scope, id: CampaignId, query: ContactQuery) {
          const ownedCampaign = yield* findOwned(scope, id)
          const { after = null, before = null, limit, reason = null, search, state = null } = query
          const backwards = before !== null
          const { status } = ownedCampaign.campaign
          const page = { search, limit: limit + 1, after: backwards ? null : after, before }
          const pages = yield* Effect.forEach(
            storedFilters(status, { state, reason }),
            (filters) => store.list(id, { ...filters, ...page })
          )
          const mergedContacts = mergePages(pages, page)
          const more = mergedContacts.length > limit
          const rows = more ? (backwards ? mergedContacts.slice(1) : mergedContacts.slice(0, limit)) : mergedContacts
          const contacts = rows.map(({ contact }) => contact)
          const decisions = yield* gate.explain(ownedCampaign, contacts, yield* BusinessTime.now)
          const [first, last] = [rows.at(0), rows.at(-1)]
          return {
            items: contacts.flatMap((contact, index) => {
              const decision = decisions[index]
              return decision === undefined ? [] : [contactRecord(visibleContact(status, contact), decision)]
            }),
            limit,
            cursors: {
              after: last !== undefined && (more || backwards) ? String(last.seat) : null,
              before: first !== undefined && (backwards ? more : after !== null) ? String(first.seat) : null
            }
          }
        }),
        find: Effect.fn("CampaignContacts.find")(function*(scope: Scope, id: CampaignId, number: PhoneNumber) {
          const ownedCampaign = yield* findOwned(scope, id)
          const contact = yield* Effect.flatten(store.find(id, number)).pipe(
            Effect.mapError(() => new NotFound({ resource: "contact", id: maskPhone(number) }))
          )
          const [decision = contact.decision] = yield* gate.explain(ownedCampaign, [contact], yield* BusinessTime.now)
          return contactRecord(visibleContact(ownedCampaign.campaign.status, contact), decision)
        })
      })
    })
  )
}
