import type { CampaignId } from "@trunkline/kernel"
import { Context, Effect, Layer, PubSub, type Queue, type Scope } from "effect"

/** Rings when something about a campaign may have changed what is to be done next: its status, its people, its calls. */
export class CampaignBell extends Context.Tag("@trunkline/campaigns/CampaignBell")<CampaignBell, {
  readonly ring: (campaign: CampaignId) => Effect.Effect<void>
  /** Rings because a call of the campaign has ended, if it pays attention to that. */
  readonly callEnded: (campaign: CampaignId) => Effect.Effect<void>
  /** Whether the campaign pays attention to ends of calls: who has somebody to dial need not hear of each. */
  readonly attend: (campaign: CampaignId, attentive: boolean) => Effect.Effect<void>
  /** Rings because a cohort or a stop file of the campaign has been completed. */
  readonly cohortCompleted: (campaign: CampaignId) => Effect.Effect<void>
  /** Whether `cohortCompleted` has rung for the campaign since this was asked last. */
  readonly newCohorts: (campaign: CampaignId) => Effect.Effect<boolean>
  readonly heard: Effect.Effect<Queue.Dequeue<CampaignId>, never, Scope.Scope>
}>() {
  static readonly layer = Layer.effect(
    CampaignBell,
    Effect.map(PubSub.unbounded<CampaignId>(), (rings) => {
      const unseen = new Set<CampaignId>()
      const attentive = new Set<CampaignId>()
      const ring = (campaign: CampaignId) => Effect.asVoid(PubSub.publish(rings, campaign))
      return CampaignBell.of({
        ring,
        callEnded: (campaign) => Effect.suspend(() => attentive.has(campaign) ? ring(campaign) : Effect.void),
        attend: (campaign, attends) =>
          Effect.sync(() => void (attends ? attentive.add(campaign) : attentive.delete(campaign))),
        cohortCompleted: (campaign) => Effect.zipRight(Effect.sync(() => unseen.add(campaign)), ring(campaign)),
        newCohorts: (campaign) => Effect.sync(() => unseen.delete(campaign)),
        heard: PubSub.subscribe(rings)
      })
    })
  )
}
