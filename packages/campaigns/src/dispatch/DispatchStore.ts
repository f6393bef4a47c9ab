import type { AttemptId, CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, type Effect, Layer, type Option } from "effect"
import type { Contact, ContactState, LastOutcome } from "../contacts/Contact.js"
import type { RosterCursor } from "../enrolment/Roster.js"
import type { Decision, GateReason } from "../gate/Decision.js"
import type { AttemptOutcome, OutcomeCounts } from "../progress/AttemptOutcome.js"
import type { RetryCounters } from "../retry/RetryPolicy.js"
import { dispatchMemory } from "./memory/DispatchMemory.js"

/** How many people of a campaign are where. */
export type ContactCounts = Readonly<Record<ContactState, number>>

/** How far a campaign is. */
export interface DispatchTotals {
  readonly contacts: ContactCounts
  /** Ended attempts, each counted once. */
  readonly outcomes: OutcomeCounts
  /** People taken from the roster, those included whom the campaign had already. */
  readonly taken: number
}

/** Somebody who is to be called now. */
export interface Claim {
  readonly user_phone_number: PhoneNumber
  readonly attempt_id: AttemptId
  /** Our number. */
  readonly from: PhoneNumber
}

/** The end of the attempt that a person is on the phone with. */
export interface Settlement {
  readonly campaign_id: CampaignId
  readonly user_phone_number: PhoneNumber
  readonly attempt_id: AttemptId
  readonly outcome: AttemptOutcome
  readonly last_outcome: LastOutcome
  readonly decision: Decision
  /** When they are called again, and the counters then; null when they are done with. */
  readonly next: { readonly due_at: number; readonly counters: RetryCounters } | null
}

/** Somebody whose next call is put off. */
export interface Deferral {
  readonly user_phone_number: PhoneNumber
  readonly due_at: number
  readonly decision: Decision
}

/** Which people of a campaign are asked for. */
export interface ContactListing {
  readonly state: ContactState | null
  /** The reasons kept with people; null asks for any. */
  readonly reason: GateReason | null
  /** The number or the identifier of one person, whole; empty asks for everybody. */
  readonly search: string
  readonly limit: number
  /** Those whose seat is greater, in ascending order. */
  readonly after: number | null
  /** Those whose seat is smaller: the nearest ones, in ascending order too. Not together with `after`. */
  readonly before: number | null
}

/** A person and their place in the order of enrolment, which never changes. */
export interface Seated {
  readonly seat: number
  readonly contact: Contact
}

/** How many people were dialled in the minute that begins at `minute`, epoch milliseconds. */
export interface DialMinute {
  readonly minute: number
  readonly dials: number
}

/**
 * Keeps who is called when: the people of each campaign, the queue of those who wait, and the counts of both. Every
 * write joins the running transaction. Moments are epoch milliseconds of business time.
 */
export class DispatchStore extends Context.Tag("@trunkline/campaigns/DispatchStore")<DispatchStore, {
  /** Adds people, leaving out numbers that the campaign has already, and remembers how far the roster has been read. */
  readonly enrol: (
    campaign: CampaignId,
    contacts: ReadonlyArray<Contact>,
    cursor: RosterCursor
  ) => Effect.Effect<void>
  /** How far the roster has been read. */
  readonly cursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** Those who wait and are due: by due time, then in the order of enrolment. */
  readonly ready: (campaign: CampaignId, now: number, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
  /** When the first of those who wait is due; null when nobody waits. */
  readonly nextDue: (campaign: CampaignId) => Effect.Effect<number | null>
  /** When the last of those who wait is due; null when nobody waits. */
  readonly lastDue: (campaign: CampaignId) => Effect.Effect<number | null>
  /** From `waiting` to `calling`; answers those who did wait. */
  readonly claim: (
    owner: { readonly scope: Scope; readonly campaign_id: CampaignId },
    claims: ReadonlyArray<Claim>,
    at: number
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
  /** Which of these numbers a campaign of the workspace is on the phone with. */
  readonly onThePhone: (
    scope: Scope,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
  /** Whoever waits goes on waiting, until another moment. */
  readonly defer: (campaign: CampaignId, deferrals: ReadonlyArray<Deferral>) => Effect.Effect<void>
  /** From `calling` with this attempt to `waiting` with a new due time, or to `finished` without one. */
  readonly settle: (settlement: Settlement) => Effect.Effect<void>
  /** From `calling` with this attempt back to `waiting`, as if it had never been claimed: it was not dialled. */
  readonly release: (options: {
    readonly campaign_id: CampaignId
    readonly user_phone_number: PhoneNumber
    readonly attempt_id: AttemptId
    readonly at: number
  }) => Effect.Effect<void>
  /** From `waiting` to `finished`, without a call; who does not wait stays as they are. */
  readonly finish: (
    campaign: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>,
    decision: Decision
  ) => Effect.Effect<void>
  /** How far the stop files have been read. */
  readonly stopCursor: (campaign: CampaignId) => Effect.Effect<RosterCursor | null>
  /** Remembers how far the stop files have been read. */
  readonly setStopCursor: (campaign: CampaignId, cursor: RosterCursor) => Effect.Effect<void>
  readonly find: (campaign: CampaignId, number: PhoneNumber) => Effect.Effect<Option.Option<Contact>>
  /** How often somebody was called again, by why. */
  readonly retries: (campaign: CampaignId, number: PhoneNumber) => Effect.Effect<Option.Option<RetryCounters>>
  /** People in the order of enrolment. */
  readonly list: (campaign: CampaignId, listing: ContactListing) => Effect.Effect<ReadonlyArray<Seated>>
  readonly counts: (campaign: CampaignId) => Effect.Effect<ContactCounts>
  readonly totals: (campaign: CampaignId) => Effect.Effect<DispatchTotals>
  /** Notes so many dials of a campaign at a moment; a negative number takes back dials that were not made. */
  readonly dialled: (campaign: CampaignId, at: number, dials: number) => Effect.Effect<void>
  /** The moment of the last dial that was noted; null when there was none. */
  readonly lastDial: (campaign: CampaignId) => Effect.Effect<number | null>
  /** The minutes from this one on in which a campaign dialled, in order. */
  readonly minutes: (campaign: CampaignId, since: number) => Effect.Effect<ReadonlyArray<DialMinute>>
  /** Notes that a workspace dials these numbers, for `dialsOf`; forgets dials that are older than three days. */
  readonly noteDials: (scope: Scope, at: number, numbers: ReadonlyArray<PhoneNumber>) => Effect.Effect<void>
  /** Takes back the note of a dial that was not made. */
  readonly forgetDial: (scope: Scope, at: number, number: PhoneNumber) => Effect.Effect<void>
  /** How often a workspace dialled each of these numbers from `since` on; those it did not dial are left out. */
  readonly dialsOf: (
    scope: Scope,
    since: number,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlyMap<PhoneNumber, number>>
}>() {
  /** Keeps contacts in memory. */
  static readonly layerMemory = Layer.sync(DispatchStore, () => DispatchStore.of(dispatchMemory()))
}
