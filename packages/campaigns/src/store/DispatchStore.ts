import type { AttemptId, CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { RetryCounters } from "../campaign/RetryPolicy.js"
import type { Contact, ContactCounts, ContactListing, SeatedContact } from "../contacts/Contact.js"
import {
  type CampaignClaims,
  type Claim,
  claimContact,
  deferContact,
  type Deferral,
  finishContact,
  releaseContact,
  settleContact,
  type Settlement
} from "../contacts/ContactTransitions.js"
import type { GateResult } from "../contacts/GateResult.js"
import type { DialMinute, DispatchTotals } from "./DispatchTotals.js"
import { DialLog } from "./memory/DialLog.js"
import { MemoryCampaign } from "./memory/MemoryCampaign.js"
import type { RosterCursor } from "./Roster.js"

/**
 * Stores the dispatch of campaigns: their contacts, the queue of waiting contacts, and counts. Every write joins the
 * running transaction. Moments are epoch milliseconds of business time.
 */
export class DispatchStore extends Context.Tag("@trunkline/campaigns/DispatchStore")<DispatchStore, {
  /** Adds contacts, except numbers that are already enrolled, and stores the position in the roster. */
  readonly enrol: (
    campaign: CampaignId,
    contacts: ReadonlyArray<Contact>,
    cursor: RosterCursor
  ) => Effect.Effect<void>
  /** The stored position in the roster; null before the first enrolment. */
  readonly cursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** Waiting contacts that are due, ordered by due time, then by enrolment. */
  readonly ready: (campaign: CampaignId, now: number, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
  /** Due time of the waiting contact that is due first; null when none waits. */
  readonly nextDue: (campaign: CampaignId) => Effect.Effect<number | null>
  /** Due time of the waiting contact that is due last; null when none waits. */
  readonly lastDue: (campaign: CampaignId) => Effect.Effect<number | null>
  /** Begins claims for several campaigns: locks their counts in an order that all keep, so that none waits in a circle. */
  readonly hold: (campaigns: ReadonlyArray<CampaignId>) => Effect.Effect<void>
  /** Moves contacts from `waiting` to `calling`; returns the numbers that were waiting. */
  readonly claim: (
    owner: { readonly scope: Scope; readonly campaign_id: CampaignId },
    claims: ReadonlyArray<Claim>,
    at: number
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
  /** Does what `claim` does for several campaigns, and adds each claim to the dials of its campaign, as `addDials` does. */
  readonly claimMany: (claims: ReadonlyArray<CampaignClaims>) => Effect.Effect<void>
  /** The subset of these numbers that a campaign of the workspace is calling, or that another process talks with. */
  readonly onThePhone: (
    scope: Scope,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
  /** Changes the due time of waiting contacts. */
  readonly defer: (campaign: CampaignId, deferrals: ReadonlyArray<Deferral>) => Effect.Effect<void>
  /** Moves a contact from `calling` with this attempt to `waiting` for a retry, or to `finished` without one. */
  readonly settle: (settlement: Settlement) => Effect.Effect<void>
  /** Does what `settle` does, for many contacts in order. */
  readonly settleMany: (settlements: ReadonlyArray<Settlement>) => Effect.Effect<void>
  /** Moves a contact from `calling` with this attempt back to `waiting`, because the attempt was not dialled. */
  readonly release: (options: {
    readonly campaign_id: CampaignId
    readonly user_phone_number: PhoneNumber
    readonly attempt_id: AttemptId
    readonly at: number
  }) => Effect.Effect<void>
  /** Moves waiting contacts to `finished`, without a call; other contacts stay as they are. */
  readonly finish: (
    campaign: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>,
    decision: GateResult
  ) => Effect.Effect<void>
  /** The stored position in the stop files; null before the first read. */
  readonly stopCursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** Stores the position in the stop files. */
  readonly setStopCursor: (campaign: CampaignId, cursor: RosterCursor) => Effect.Effect<void>
  /** Finds a contact by number. */
  readonly find: (campaign: CampaignId, number: PhoneNumber) => Effect.Effect<Option.Option<Contact>>
  /** The retry counters of a contact. */
  readonly retries: (campaign: CampaignId, number: PhoneNumber) => Effect.Effect<Option.Option<RetryCounters>>
  /** The retry counters of many contacts, in order; null for numbers that are not enrolled. */
  readonly retriesOf: (
    contacts: ReadonlyArray<Pick<Contact, "campaign_id" | "user_phone_number">>
  ) => Effect.Effect<ReadonlyArray<RetryCounters | null>>
  /** Lists contacts in the order of enrolment. */
  readonly list: (campaign: CampaignId, listing: ContactListing) => Effect.Effect<ReadonlyArray<SeatedContact>>
  /** Contacts by state. */
  readonly counts: (campaign: CampaignId) => Effect.Effect<ContactCounts>
  /** Contacts, outcomes and rows read from the roster. */
  readonly totals: (campaign: CampaignId) => Effect.Effect<DispatchTotals>
  /** Adds to the dials of a campaign at a moment; a negative number withdraws dials that were not made. */
  readonly addDials: (campaign: CampaignId, at: number, dials: number) => Effect.Effect<void>
  /** The moment of the last recorded dial; null without one. */
  readonly lastDial: (campaign: CampaignId) => Effect.Effect<number | null>
  /** The minutes with dials of a campaign, from this one on, in order. */
  readonly minutes: (campaign: CampaignId, since: number) => Effect.Effect<ReadonlyArray<DialMinute>>
  /** Records dials of these numbers by a workspace, for `dialsOf`; forgets dials older than three days. */
  readonly recordDials: (scope: Scope, at: number, numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<void>
  /** Removes the record of a dial that was not made. */
  readonly removeDial: (scope: Scope, at: number, number: PhoneNumber) => Effect.Effect<void>
  /** Dials of these numbers by a workspace from `since` on; numbers without dials are left out. */
  readonly dialsOf: (
    scope: Scope,
    since: number,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlyMap<PhoneNumber, number>>
}>() {
  /** Stores contacts in memory. */
  static readonly layerMemory = Layer.sync(DispatchStore, () => makeMemory())
}

/** The store in memory. Structures are changed in place, because contacts are many and dials frequent. */
const makeMemory = (): typeof DispatchStore.Service => {
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

  const claim = ({ at, campaign_id, claims, scope }: CampaignClaims) =>
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
    claim: ({ campaign_id, scope }, claims, at) => claim({ scope, campaign_id, claims, at }),
    claimMany: (all) => {
      const claimAndCount = (one: CampaignClaims) =>
        Effect.flatMap(claim(one), () => of(one.campaign_id).dialled(one.at, one.claims.length))
      return Effect.forEach(all, claimAndCount, { discard: true })
    },
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
