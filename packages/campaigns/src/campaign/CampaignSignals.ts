import type { CampaignId } from "@trunkline/kernel"
import { Context, Effect, Layer, PubSub, type Queue, type Scope } from "effect"

/** In-process signals that a campaign's next step may have changed: its status, its contacts or its calls. */
export class CampaignSignals extends Context.Tag("@trunkline/campaigns/CampaignBell")<CampaignSignals, {
  /** Wakes the worker of a campaign. */
  readonly notify: (campaign: CampaignId) => Effect.Effect<void>
  /** Wakes the worker because a call of the campaign has ended, unless it has turned these signals off. */
  readonly callEnded: (campaign: CampaignId) => Effect.Effect<void>
  /** Turns the `callEnded` signals of a campaign on or off; a campaign that dials at its full rate needs none. */
  readonly setCallEndSignals: (campaign: CampaignId, enabled: boolean) => Effect.Effect<void>
  /** Wakes the worker because a cohort or a stop file of the campaign has been imported completely. */
  readonly cohortCompleted: (campaign: CampaignId) => Effect.Effect<void>
  /** Returns true if `cohortCompleted` was called for the campaign since the last call of this function. */
  readonly takeNewCohorts: (campaign: CampaignId) => Effect.Effect<boolean>
  /** Subscribes to the ids of campaigns that are signalled from now on. */
  readonly subscribe: Effect.Effect<Queue.Dequeue<CampaignId>, never, Scope.Scope>
}>() {
  static readonly layer = Layer.effect(
    CampaignSignals,
    Effect.map(PubSub.unbounded<CampaignId>(), (signals) => {
      const withNewCohorts = new Set<CampaignId>()
      const withCallEndSignals = new Set<CampaignId>()
      const notify = (campaign: CampaignId) => Effect.asVoid(PubSub.publish(signals, campaign))
      return CampaignSignals.of({
        notify,
        callEnded: (campaign) =>
          Effect.suspend(() => withCallEndSignals.has(campaign) ? notify(campaign) : Effect.void),
        setCallEndSignals: (campaign, enabled) =>
          Effect.sync(() => void (enabled ? withCallEndSignals.add(campaign) : withCallEndSignals.delete(campaign))),
        cohortCompleted: (campaign) =>
          Effect.zipRight(Effect.sync(() => withNewCohorts.add(campaign)), notify(campaign)),
        takeNewCohorts: (campaign) => Effect.sync(() => withNewCohorts.delete(campaign)),
        subscribe: PubSub.subscribe(signals)
      })
    })
  )
}
