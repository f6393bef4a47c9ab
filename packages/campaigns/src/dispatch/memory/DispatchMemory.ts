import { type CampaignId, type PhoneNumber, type Scope, scopeKey } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import { claimed, deferred, finished, released, settled } from "../../contacts/Transitions.js"
import type { DispatchStore } from "../DispatchStore.js"
import { DialNotes } from "./DialNotes.js"
import { MemoryCampaign } from "./MemoryCampaign.js"

/** `DispatchStore` in memory: structures that are changed in place, since people are many and dials come fast. */
export const dispatchMemory = (): DispatchStore["Type"] => {
  const campaigns = new Map<CampaignId, MemoryCampaign>()
  const notes = new DialNotes()

  const of = (id: CampaignId): MemoryCampaign => {
    const known = campaigns.get(id)
    if (known !== undefined) return known
    const made = new MemoryCampaign(id)
    campaigns.set(id, made)
    return made
  }

  /** Changes somebody if they are as expected; answers whether they were. */
  const change = (
    id: CampaignId,
    number: PhoneNumber,
    when: (contact: Contact) => boolean,
    to: (contact: Contact) => Contact
  ): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const campaign = of(id)
      const before = campaign.find(number)
      return before !== undefined && when(before)
        ? Effect.as(campaign.replace(to(before)), true)
        : Effect.succeed(false)
    })

  const waits = ({ state }: Contact) => state === "waiting"

  return {
    enrol: (id, contacts, cursor) =>
      Effect.suspend(() => {
        const campaign = of(id)
        return Effect.zipRight(
          Effect.forEach(
            contacts,
            (contact) => campaign.find(contact.user_phone_number) === undefined ? campaign.add(contact) : Effect.void,
            { discard: true }
          ),
          campaign.reach({ cursor, taken: campaign.taken + contacts.length })
        )
      }),
    cursor: (id) => Effect.sync(() => of(id).cursor),
    ready: (id, now, limit) => Effect.sync(() => of(id).ready(now, limit)),
    nextDue: (id) => Effect.sync(() => of(id).nextDue),
    lastDue: (id) => Effect.sync(() => of(id).lastDue),
    claim: ({ campaign_id, scope }, claims, at) =>
      Effect.suspend(() => {
        of(campaign_id).scope = scope
        const waited = new Set<PhoneNumber>()
        const one = (claim: typeof claims[number]) =>
          Effect.map(
            change(campaign_id, claim.user_phone_number, waits, (contact) => claimed(contact, claim, at)),
            (did) => did ? void waited.add(claim.user_phone_number) : undefined
          )
        return Effect.as(Effect.forEach(claims, one, { discard: true }), waited)
      }),
    onThePhone: (scope, numbers) =>
      Effect.sync(() => {
        const theirs = [...campaigns.values()].filter((campaign) => isOf(campaign, scope))
        return new Set(
          numbers.filter((number) => theirs.some((campaign) => campaign.find(number)?.state === "calling"))
        )
      }),
    defer: (id, deferrals) =>
      Effect.forEach(
        deferrals,
        (deferral) => change(id, deferral.user_phone_number, waits, (contact) => deferred(contact, deferral)),
        { discard: true }
      ),
    settle: (settlement) =>
      Effect.suspend(() => {
        const { attempt_id, campaign_id, outcome, user_phone_number } = settlement
        return Effect.flatMap(
          change(
            campaign_id,
            user_phone_number,
            (contact) => contact.attempt_id === attempt_id,
            (contact) => settled(contact, settlement)
          ),
          (did) => did ? of(campaign_id).count(outcome) : Effect.void
        )
      }),
    release: ({ at, attempt_id, campaign_id, user_phone_number }) =>
      Effect.asVoid(change(
        campaign_id,
        user_phone_number,
        (contact) => contact.attempt_id === attempt_id,
        (contact) => released(contact, at)
      )),
    finish: (id, numbers, decision) =>
      Effect.forEach(
        numbers,
        (number) => change(id, number, waits, (contact) => finished(contact, decision)),
        { discard: true }
      ),
    stopCursor: (id) => Effect.sync(() => of(id).stopCursor),
    setStopCursor: (id, stopCursor) => Effect.suspend(() => of(id).reach({ stopCursor })),
    find: (id, number) => Effect.sync(() => Option.fromNullable(of(id).find(number))),
    retries: (id, number) => Effect.sync(() => Option.fromNullable(of(id).find(number)?.counters)),
    list: (id, listing) => Effect.sync(() => of(id).list(listing)),
    counts: (id) => Effect.sync(() => ({ ...of(id).contacts })),
    totals: (id) =>
      Effect.sync(() => {
        const { contacts, outcomes, taken } = of(id)
        return { contacts: { ...contacts }, outcomes: { ...outcomes }, taken }
      }),
    dialled: (id, at, dials) => Effect.suspend(() => of(id).dialled(at, dials)),
    lastDial: (id) => Effect.sync(() => of(id).lastDial),
    minutes: (id, since) => Effect.sync(() => of(id).minutes(since)),
    noteDials: notes.note,
    forgetDial: notes.forget,
    dialsOf: (scope, since, numbers) => Effect.sync(() => notes.since(scope, since, numbers))
  }
}

const isOf = (campaign: MemoryCampaign, scope: Scope): boolean =>
  campaign.scope !== null && scopeKey(campaign.scope) === scopeKey(scope)
