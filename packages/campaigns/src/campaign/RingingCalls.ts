import { Bus, BusinessTime, CampaignId, type Listen, unchecked } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { CampaignAction } from "./Campaign.js"

/** Action that can stop calls that ring. */
export type StoppingAction = Exclude<CampaignAction, "resume">

/** Calls of campaigns that ring, in this process and in others. */
export class RingingCalls extends Context.Tag("@trunkline/campaigns/RingingCalls")<RingingCalls, {
  /** Stops all calls of a campaign that were claimed until now and are not answered. */
  readonly cancel: (campaign: CampaignId, action: StoppingAction) => Effect.Effect<void>
  /**
   * Signals the reason when the calls of a campaign that were claimed at a time are to stop ringing: at once when that has
   * happened before. The time is epoch milliseconds of business time.
   */
  readonly onCallOff: (campaign: CampaignId, claimedAt: number) => Listen<string>
}>() {
  static readonly layer = Layer.scoped(
    RingingCalls,
    Effect.gen(function*() {
      const bus = yield* Bus
      const listeners = new Map<CampaignId, Set<(reason: string) => void>>()
      const cancelled = new LRUCache<CampaignId, { readonly at: number; readonly reason: string }>({
        max: maxCancelled
      })

      const cancelHere = (campaign: CampaignId, action: StoppingAction) =>
        Effect.flatMap(BusinessTime.now, (at) => {
          const reason = reasons[action]
          cancelled.set(campaign, { at, reason })
          const calls = listeners.get(campaign)
          listeners.delete(campaign)
          return Effect.sync(() => calls?.forEach((hear) => hear(reason)))
        })

      const hear = (hint: string | null) => {
        const [action, campaign] = hint?.split(" ") ?? []
        return campaign !== undefined && (action === "pause" || action === "cancel")
          ? cancelHere(CampaignId.make(campaign, unchecked), action)
          : Effect.void
      }
      if (bus.isShared) {
        const next = yield* bus.subscribe(topic)
        yield* Effect.forkScoped(Effect.forever(Effect.flatMap(next, hear)))
      }

      return RingingCalls.of({
        cancel: (campaign, action) =>
          Effect.zipRight(cancelHere(campaign, action), bus.publish(topic, `${action} ${campaign}`)),
        onCallOff: (campaign, claimedAt) => (hear) => {
          const before = cancelled.peek(campaign)
          if (before !== undefined && claimedAt <= before.at) {
            hear(before.reason)
            return () => {}
          }
          const calls = listeners.get(campaign) ?? new Set()
          listeners.set(campaign, calls.add(hear))
          return () => {
            calls.delete(hear)
            if (calls.size === 0 && listeners.get(campaign) === calls) listeners.delete(campaign)
          }
        }
      })
    })
  )
}

/** Cancellations that are remembered, for calls that were claimed before them and are not yet placed. */
const maxCancelled = 1_000

const topic = "campaign-ringing-cancelled"

const reasons = { pause: "cancelled: the campaign was paused", cancel: "cancelled: the campaign was cancelled" }
