import { NotFound } from "@trunkline/errors"
import { BusinessTime, type CampaignId, maskPhone, type PhoneNumber, type Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import { CampaignStore } from "../campaign/CampaignStore.js"
import { DispatchStore } from "../dispatch/DispatchStore.js"
import { Gate } from "../gate/Gate.js"
import { type ContactPage, type ContactQuery, type ContactRecord, recordOf } from "./ContactRecord.js"
import { keptLists, nearest, shownContact } from "./LeftOver.js"

/** The people of a campaign as its readers see them: where each is, what came of their calls, and why they are not called. */
export class CampaignContacts extends Context.Tag("@trunkline/campaigns/CampaignContacts")<CampaignContacts, {
  /**
   * A page of people in the order of enrolment. Those whom the campaign has not looked at yet are not among them. The
   * filter `reason` asks for the reason that is kept with a person; what holds the whole campaign is laid over the
   * decisions as they are shown. Who waits when the campaign is over is shown as done with by that.
   */
  readonly list: (scope: Scope, id: CampaignId, query: ContactQuery) => Effect.Effect<ContactPage, NotFound>
  /** One person, by their number. */
  readonly find: (scope: Scope, id: CampaignId, number: PhoneNumber) => Effect.Effect<ContactRecord, NotFound>
}>() {
  static readonly layer = Layer.effect(
    CampaignContacts,
    Effect.gen(function*() {
      const campaigns = yield* CampaignStore
      const dispatch = yield* DispatchStore
      const gate = yield* Gate

      const owned = (scope: Scope, id: CampaignId) =>
        Effect.flatMap(
          campaigns.find(scope, id),
          Option.match({
            onNone: () => Effect.fail(new NotFound({ resource: "campaign", id })),
            onSome: (campaign) => Effect.succeed({ scope, campaign })
          })
        )

      return CampaignContacts.of({
        list: Effect.fn("CampaignContacts.list")(function*(scope: Scope, id: CampaignId, query: ContactQuery) {
          const campaign = yield* owned(scope, id)
          const { after = null, before = null, limit, reason = null, search, state = null } = query
          const backwards = before !== null
          const { status } = campaign.campaign
          const place = { search, limit: limit + 1, after: backwards ? null : after, before }
          const lists = yield* Effect.forEach(
            keptLists(status, { state, reason }),
            (filters) => dispatch.list(id, { ...filters, ...place })
          )
          const found = nearest(lists, place)
          const more = found.length > limit
          const seated = more ? (backwards ? found.slice(1) : found.slice(0, limit)) : found
          const contacts = seated.map(({ contact }) => contact)
          const decisions = yield* gate.explain(campaign, contacts, yield* BusinessTime.now)
          const [first, last] = [seated.at(0), seated.at(-1)]
          return {
            items: contacts.flatMap((contact, index) => {
              const decision = decisions[index]
              return decision === undefined ? [] : [recordOf(shownContact(status, contact), decision)]
            }),
            limit,
            cursors: {
              after: last !== undefined && (more || backwards) ? String(last.seat) : null,
              before: first !== undefined && (backwards ? more : after !== null) ? String(first.seat) : null
            }
          }
        }),
        find: Effect.fn("CampaignContacts.find")(function*(scope: Scope, id: CampaignId, number: PhoneNumber) {
          const campaign = yield* owned(scope, id)
          const contact = yield* Effect.flatten(dispatch.find(id, number)).pipe(
            Effect.mapError(() => new NotFound({ resource: "contact", id: maskPhone(number) }))
          )
          const [decision = contact.decision] = yield* gate.explain(campaign, [contact], yield* BusinessTime.now)
          return recordOf(shownContact(campaign.campaign.status, contact), decision)
        })
      })
    })
  )
}
