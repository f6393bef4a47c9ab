import type { CampaignId } from "@trunkline/kernel"
import { Context, Effect, Layer, PubSub, type Queue, type Scope } from "effect"

/** Rings when something about a campaign may have changed what is to be done next: its status, its people, its calls. */
export class CampaignBell extends Context.Tag("@trunkline/campaigns/CampaignBell")<CampaignBell, {
  readonly ring: (campaign: CampaignId) => Effect.Effect<void>
  readonly heard: Effect.Effect<Queue.Dequeue<CampaignId>, never, Scope.Scope>
}>() {
  static readonly layer = Layer.effect(
    CampaignBell,
    Effect.map(PubSub.unbounded<CampaignId>(), (rings) =>
      CampaignBell.of({
        ring: (campaign) => Effect.asVoid(PubSub.publish(rings, campaign)),
        heard: PubSub.subscribe(rings)
      }))
  )
}
