import type { CampaignId, PhoneNumber } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { Contact } from "../../contacts/Contact.js"
import {
  type Claim,
  claimContact,
  deferContact,
  finishContact,
  releaseContact,
  settleContact,
  type Settlement
} from "../../contacts/ContactTransitions.js"
import type { CampaignClaims, DispatchStore } from "../DispatchStore.js"
import { DialLog } from "./DialLog.js"
import { MemoryCampaign } from "./MemoryCampaign.js"

/** Makes a `DispatchStore` in memory. Structures are changed in place, because contacts are many and dials frequent. */
export const makeDispatchMemory = (): typeof DispatchStore.Service => {
  const campaigns = new Map<CampaignId, MemoryCampaign>()
  const dialLog = new DialLog()

  const of = (id: CampaignId): MemoryCampaign => {
    const known = campaigns.get(id)
    if (known !== undefined) return known
    const made = new MemoryCampaign(id)
    campaigns.set(id, made)
    return made
  }

  /** Changes a contact if the condition holds; succeeds with true if it did. */
  const change = (
    id: CampaignId,
    number: PhoneNumber,
    condition: (contact: Contact) => boolean,
    to: (contact: Contact) => Contact
  ): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const campaign = of(id)
      const before = campaign.find(number)
      return before !== undefined && condition(before)
        ? Effect.as(campaign.replace(to(before)), true)
        : Effect.succeed(false)
    })

  const isWaiting = ({ state }: Contact) => state === "waiting"

  const settle = (settlement: Settlement) =>
    Effect.suspend(() => {
      const { attempt_id, campaign_id, outcome, user_phone_number } = settlement
      return Effect.flatMap(
        change(
          campaign_id,
          user_phone_number,
          (contact) => contact.attempt_id === attempt_id,
          (contact) => settleContact(contact, settlement)
        ),
        (did) => did ? of(campaign_id).count(outcome) : Effect.void
      )
    })

  const claim = (
    { campaign_id, scope }: Pick<CampaignClaims, "campaign_id" | "scope">,
    claims: ReadonlyArray<Claim>,
    at: number
  ) =>
    Effect.suspend(() => {
      of(campaign_id).scope = scope
      const claimed = new Set<PhoneNumber>()
      const claimOne = (claim: Claim) =>
        Effect.map(
          change(campaign_id, claim.user_phone_number, isWaiting, (contact) => claimContact(contact, claim, at)),
          (did) => did ? void claimed.add(claim.user_phone_number) : undefined
        )
      return Effect.as(Effect.forEach(claims, claimOne, { discard: true }), claimed)
    })

  return {
    hold: () => Effect.void,
    enrol: (id, contacts, cursor) =>
      Effect.suspend(() => {
        const campaign = of(id)
        return Effect.zipRight(
          Effect.forEach(
            contacts,
            (contact) => campaign.find(contact.user_phone_number) === undefined ? campaign.add(contact) : Effect.void,
            { discard: true }
          ),
          campaign.advance({ cursor, taken: campaign.taken + contacts.length })
        )
      }),
    cursor: (id) => Effect.sync(() => of(id).cursor),
    ready: (id, now, limit) => Effect.sync(() => of(id).ready(now, limit)),
    nextDue: (id) => Effect.sync(() => of(id).nextDue),
    lastDue: (id) => Effect.sync(() => of(id).lastDue),
    claim,
    claimMany: (all) =>
      Effect.forEach(
        all,
        (one) =>
          Effect.zipRight(
            claim(one, one.claims, one.at),
            Effect.suspend(() => of(one.campaign_id).dialled(one.at, one.claims.length))
          ),
        { discard: true }
      ),
    onThePhone: (scope, numbers) =>
      Effect.sync(() => {
        const ofWorkspace = [...campaigns.values()].filter((campaign) => campaign.isOf(scope))
        return new Set(
          numbers.filter((number) => ofWorkspace.some((campaign) => campaign.find(number)?.state === "calling"))
        )
      }),
    defer: (id, deferrals) =>
      Effect.forEach(
        deferrals,
        (deferral) => change(id, deferral.user_phone_number, isWaiting, (contact) => deferContact(contact, deferral)),
        { discard: true }
      ),
    settle,
    settleMany: (settlements) => Effect.forEach(settlements, settle, { discard: true }),
    release: ({ at, attempt_id, campaign_id, user_phone_number }) =>
      Effect.asVoid(change(
        campaign_id,
        user_phone_number,
        (contact) => contact.attempt_id === attempt_id,
        (contact) => releaseContact(contact, at)
      )),
    finish: (id, numbers, decision) => {
      const finish = (number: PhoneNumber) =>
        change(id, number, isWaiting, (contact) => finishContact(contact, decision))
      return Effect.forEach(numbers, finish, { discard: true })
    },
    stopCursor: (id) => Effect.sync(() => of(id).stopCursor),
    setStopCursor: (id, stopCursor) => Effect.suspend(() => of(id).advance({ stopCursor })),
    find: (id, number) => Effect.sync(() => Option.fromNullable(of(id).find(number))),
    retries: (id, number) => Effect.sync(() => Option.fromNullable(of(id).find(number)?.counters)),
    retriesOf: (contacts) =>
      Effect.sync(() =>
        contacts.map(({ campaign_id, user_phone_number }) => of(campaign_id).find(user_phone_number)?.counters ?? null)
      ),
    list: (id, listing) => Effect.sync(() => of(id).list(listing)),
    counts: (id) => Effect.sync(() => ({ ...of(id).contacts })),
    totals: (id) =>
      Effect.sync(() => {
        const { contacts, outcomes, taken } = of(id)
        return { contacts: { ...contacts }, outcomes: { ...outcomes }, taken }
      }),
    addDials: (id, at, dials) => Effect.suspend(() => of(id).dialled(at, dials)),
    lastDial: (id) => Effect.sync(() => of(id).lastDial),
    minutes: (id, since) => Effect.sync(() => of(id).minutes(since)),
    recordDials: dialLog.record,
    removeDial: dialLog.remove,
    dialsOf: (scope, since, numbers) => Effect.sync(() => dialLog.since(scope, since, numbers))
  }
}
