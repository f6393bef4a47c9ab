import type { CampaignId, PhoneNumber, Scope } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import type { DialMinute } from "./DispatchTotals.js"
import { MemoryCampaigns } from "./memory/MemoryCampaigns.js"

/**
 * The log of dials: by campaign for its pace, by number for the gate. Every write joins the running transaction. Moments are
 * epoch milliseconds of business time.
 */
export class DialLog extends Context.Tag("@trunkline/campaigns/DialLog")<DialLog, {
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
  /** The subset of these numbers that a campaign of the workspace is calling, or that are in a call in another process. */
  readonly onThePhone: (
    scope: Scope,
    numbers: ReadonlyArray<PhoneNumber>
  ) => Effect.Effect<ReadonlySet<PhoneNumber>>
}>() {
  /** Keeps the log in memory, shared with the memory layers of `ContactStore` and `DialQueue` that are built with it. */
  static readonly layerMemory = Layer.effect(
    DialLog,
    Effect.map(MemoryCampaigns, ({ numbers: numberDials, of, ofWorkspace }) =>
      DialLog.of({
        addDials: (id, at, dials) => Effect.suspend(() => of(id).dialled(at, dials)),
        lastDial: (id) => Effect.sync(() => of(id).lastDial),
        minutes: (id, since) => Effect.sync(() => of(id).minutes(since)),
        recordDials: numberDials.record,
        removeDial: numberDials.remove,
        dialsOf: (scope, since, numbers) => Effect.sync(() => numberDials.since(scope, since, numbers)),
        onThePhone: (scope, numbers) =>
          Effect.sync(() => {
            const campaigns = ofWorkspace(scope)
            return new Set(
              numbers.filter((number) => campaigns.some((campaign) => campaign.find(number)?.state === "calling"))
            )
          })
      }))
  ).pipe(Layer.provide(MemoryCampaigns.layer))
}
