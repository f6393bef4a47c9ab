import type { AttemptId, CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer, type Option } from "effect"
import type { Contact, ContactCounts, ContactListing, SeatedContact } from "../contacts/Contact.js"
import type { Claim, Deferral, Settlement } from "../contacts/ContactTransitions.js"
import type { RosterCursor } from "../enrolment/Roster.js"
import type { GateResult } from "../gate/GateResult.js"
import type { OutcomeCounts } from "../progress/AttemptOutcome.js"
import type { RetryCounters } from "../retry/RetryPolicy.js"
import { makeDispatchMemory } from "./memory/DispatchMemory.js"

/** Totals of a campaign. */
export interface DispatchTotals {
  readonly contacts: ContactCounts
  /** Ended attempts, each counted once. */
  readonly outcomes: OutcomeCounts
  /** Rows read from the roster, including numbers that were already enrolled. */
  readonly taken: number
}

/** Claims of contacts of a campaign at a moment. */
export interface CampaignClaims {
  readonly scope: Scope
  readonly campaign_id: CampaignId
  readonly claims: ReadonlyArray<Claim>
  readonly at: number
}

/** Number of dials in the minute that begins at `minute`, epoch milliseconds. */
export interface DialMinute {
  readonly minute: number
  readonly dials: number
}

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
  static readonly layerMemory = Layer.sync(DispatchStore, makeDispatchMemory)
}
