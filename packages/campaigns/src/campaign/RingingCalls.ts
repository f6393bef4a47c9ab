import { Bus, BusinessTime, CampaignId, type Listen, unchecked } from "@trunkline/kernel"
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { CampaignAction } from "./Campaign.js"

/** Action that can stop calls that ring. */
export type StoppingAction = Exclude<CampaignAction, "resume">

/** A cancellation: its moment in epoch milliseconds of business time, and its reason. */
interface Cancellation {
  readonly at: number
  readonly reason: string
}

/**
 * Calls of campaigns that ring, in this process and in others. Where the hint to another process is lost, its calls ring until
 * their ring timeout.
 */
export class RingingCalls extends Context.Tag("@trunkline/campaigns/RingingCalls")<RingingCalls, {
  /** Stops all calls of a campaign that were claimed until now and are not answered. */
  readonly cancel: (campaign: CampaignId, action: StoppingAction) => Effect.Effect<void>
  /**
   * Signals the reason when the calls of a campaign with a claim at this time, in epoch milliseconds of business time, are
   * cancelled; at once after an earlier cancellation.
   */
  readonly onCallOff: (campaign: CampaignId, claimedAt: number) => Listen<string>
}>() {
  static readonly layer = Layer.scoped(
    RingingCalls,
    Effect.gen(function*() {
      const bus = yield* Bus
      /** Times of the claims of calls that ring, by their listeners. */
      const listeners = new Map<CampaignId, Map<(reason: string) => void, number>>()
      const cancellations = new LRUCache<CampaignId, Cancellation>({ max: maxCancellations })

      const removeListener = (campaign: CampaignId, listener: (reason: string) => void): void => {
        const ofCampaign = listeners.get(campaign)
        ofCampaign?.delete(listener)
        if (ofCampaign?.size === 0) listeners.delete(campaign)
      }

      const cancelHere = (campaign: CampaignId, { at, reason }: Cancellation): void => {
        // A hint may come late, or twice.
        if ((cancellations.peek(campaign)?.at ?? -Infinity) < at) cancellations.set(campaign, { at, reason })
        for (const [listener, claimedAt] of Array.from(listeners.get(campaign) ?? [])) {
          if (claimedAt > at) continue
          removeListener(campaign, listener)
          listener(reason)
        }
      }

      const applyHint = (hint: string | null): void => {
        const [action, campaign, at] = hint?.split(" ") ?? []
        if (campaign === undefined || (action !== "pause" && action !== "cancel")) return
        cancelHere(CampaignId.make(campaign, unchecked), { at: Number(at), reason: reasons[action] })
      }
      if (bus.isShared) {
        const next = yield* bus.subscribe(topic)
        yield* Effect.forkScoped(Effect.forever(Effect.map(next, applyHint)))
      }

      return RingingCalls.of({
        cancel: (campaign, action) =>
          Effect.flatMap(BusinessTime.now, (at) => {
            cancelHere(campaign, { at, reason: reasons[action] })
            return bus.publish(topic, `${action} ${campaign} ${at}`)
          }),
        onCallOff: (campaign, claimedAt) => (listener) => {
          const cancellation = cancellations.peek(campaign)
          if (cancellation !== undefined && claimedAt <= cancellation.at) {
            listener(cancellation.reason)
            return () => {}
          }
          const ofCampaign = listeners.get(campaign) ?? new Map<(reason: string) => void, number>()
          listeners.set(campaign, ofCampaign.set(listener, claimedAt))
          return () => removeListener(campaign, listener)
        }
      })
    })
  )
}

/** Maximum number of cancellations in memory, for calls with an earlier claim that are not placed yet. */
const maxCancellations = 1_000

const topic = "campaign-ringing-cancelled"

const reasons = { pause: "cancelled: the campaign was paused", cancel: "cancelled: the campaign was cancelled" }
