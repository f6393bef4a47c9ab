import type { AttemptId, CampaignId, PhoneNumber } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { RetryCounters } from "../campaign/RetryPolicy.js"
import type { Contact } from "../contacts/Contact.js"
import {
  type CampaignClaims,
  claimContact,
  deferContact,
  type Deferral,
  finishContact,
  releaseContact,
  settleContact,
  type Settlement
} from "../contacts/ContactTransitions.js"
import type { GateResult } from "../contacts/GateResult.js"
import { MemoryCampaigns } from "./memory/MemoryCampaigns.js"

/**
 * The queue of the waiting contacts of each campaign, and the ways of a contact into it and out of it. Every write joins the
 * running transaction. Moments are epoch milliseconds of business time.
 */
export class DialQueue extends Context.Tag("@trunkline/campaigns/DialQueue")<DialQueue, {
  /** Waiting contacts that are due, ordered by due time, then by enrolment. */
  readonly ready: (campaign: CampaignId, now: number, limit: number) => Effect.Effect<ReadonlyArray<Contact>>
  /** Due time of the waiting contact that is due first; null when none waits. */
  readonly nextDue: (campaign: CampaignId) => Effect.Effect<number | null>
  /** Due time of the waiting contact that is due last; null when none waits. */
  readonly lastDue: (campaign: CampaignId) => Effect.Effect<number | null>
  /**
   * Begins claims for several campaigns: locks their counts in an order that all keep, so that none waits in a circle. Those of
   * a single campaign are locked if `isCounted`: the claims depend on the number of its calls.
   */
  readonly hold: (
    campaigns: ReadonlyArray<CampaignId>,
    options?: { readonly isCounted: boolean }
  ) => Effect.Effect<void>
  /**
   * Moves contacts of several campaigns from `waiting` to `calling`, and adds the claims that are dialled to the dials of
   * their campaign, as `DialLog.addDials` does. Returns the attempts whose contacts were waiting.
   */
  readonly claimMany: (claims: ReadonlyArray<CampaignClaims>) => Effect.Effect<ReadonlySet<AttemptId>>
  /** Moves a contact from `calling` with this attempt back to `waiting`, because the attempt was not dialled. */
  readonly release: (options: {
    readonly campaign_id: CampaignId
    readonly user_phone_number: PhoneNumber
    readonly attempt_id: AttemptId
    readonly at: number
  }) => Effect.Effect<void>
  /** Changes the due time of waiting contacts. */
  readonly defer: (campaign: CampaignId, deferrals: ReadonlyArray<Deferral>) => Effect.Effect<void>
  /** The retry counters of contacts, in order; null for numbers that are not enrolled. */
  readonly retriesOf: (
    contacts: ReadonlyArray<Pick<Contact, "campaign_id" | "user_phone_number">>
  ) => Effect.Effect<ReadonlyArray<RetryCounters | null>>
  /** Moves contacts, in order, from `calling` with their attempts to `waiting` for a retry, or to `finished` without one. */
  readonly settleMany: (settlements: ReadonlyArray<Settlement>) => Effect.Effect<void>
  /** Moves waiting contacts to `finished`, without a call; other contacts stay as they are. */
  readonly finish: (
    campaign: CampaignId,
    numbers: ReadonlyArray<PhoneNumber>,
    decision: GateResult
  ) => Effect.Effect<void>
}>() {
  /** Keeps the queues in memory, shared with the memory layers of `ContactStore` and `DialLog` that are built with it. */
  static readonly layerMemory = Layer.effect(
    DialQueue,
    Effect.map(MemoryCampaigns, ({ change, of }) => {
      const settle = (settlement: Settlement) => {
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
      }

      const claim = (
        { at, campaign_id, claims, isDialled, scope }: CampaignClaims,
        claimedAttemptIds: Set<AttemptId>
      ) =>
        Effect.suspend(() => {
          const campaign = of(campaign_id)
          campaign.scope = scope
          const each = Effect.forEach(claims, (claim) =>
            Effect.map(
              change(campaign_id, claim.user_phone_number, isWaiting, (contact) => claimContact(contact, claim, at)),
              (did) => did ? void claimedAttemptIds.add(claim.attempt_id) : undefined
            ), { discard: true })
          return isDialled ? Effect.zipRight(each, campaign.dialled(at, claims.length)) : each
        })

      return DialQueue.of({
        ready: (id, now, limit) => Effect.sync(() => of(id).ready(now, limit)),
        nextDue: (id) => Effect.sync(() => of(id).nextDue),
        lastDue: (id) => Effect.sync(() => of(id).lastDue),
        hold: () => Effect.void,
        claimMany: (claims) =>
          Effect.suspend(() => {
            const claimedAttemptIds = new Set<AttemptId>()
            return Effect.as(
              Effect.forEach(claims, (some) => claim(some, claimedAttemptIds), { discard: true }),
              claimedAttemptIds
            )
          }),
        release: ({ at, attempt_id, campaign_id, user_phone_number }) =>
          Effect.asVoid(change(
            campaign_id,
            user_phone_number,
            (contact) => contact.attempt_id === attempt_id,
            (contact) => releaseContact(contact, at)
          )),
        defer: (id, deferrals) =>
          Effect.forEach(
            deferrals,
            (deferral) =>
              change(id, deferral.user_phone_number, isWaiting, (contact) => deferContact(contact, deferral)),
            { discard: true }
          ),
        retriesOf: (contacts) =>
          Effect.sync(() =>
            contacts.map(({ campaign_id, user_phone_number }) =>
              of(campaign_id).find(user_phone_number)?.counters ?? null
            )
          ),
        settleMany: (settlements) => Effect.forEach(settlements, settle, { discard: true }),
        finish: (id, numbers, decision) =>
          Effect.forEach(
            numbers,
            (number) => change(id, number, isWaiting, (contact) => finishContact(contact, decision)),
            { discard: true }
          )
      })
    })
  ).pipe(Layer.provide(MemoryCampaigns.layer))
}

const isWaiting = ({ state }: Contact) => state === "waiting"
