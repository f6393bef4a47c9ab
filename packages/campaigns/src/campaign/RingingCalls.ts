import { Bus, BusinessTime, CampaignId, unchecked } from "@trunkline/kernel"
import { Context, Deferred, Effect, FiberId, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { CampaignAction } from "./Campaign.js"

/** Action that can stop calls that ring. */
export type StoppingAction = Exclude<CampaignAction, "resume">

/** Calls of campaigns that ring, in this process and in others. */
export class RingingCalls extends Context.Tag("@trunkline/campaigns/RingingCalls")<RingingCalls, {
  /** Stops all calls of a campaign that were claimed until now and are not answered. */
  readonly cancel: (campaign: CampaignId, action: StoppingAction) => Effect.Effect<void>
  /**
   * Completes with the reason when the calls of a campaign that were claimed at a time are to stop ringing: at once when
   * that has happened before. The time is epoch milliseconds of business time.
   */
  readonly calledOff: (campaign: CampaignId, claimedAt: number) => Effect.Effect<string>
}>() {
  static readonly layer = Layer.scoped(
    RingingCalls,
    Effect.gen(function*() {
      const bus = yield* Bus
      const waiting = new Map<CampaignId, Waiting>()
      const cancelled = new LRUCache<CampaignId, { readonly at: number; readonly reason: string }>({
        max: maxCancelled
      })

      const cancelHere = (campaign: CampaignId, action: StoppingAction) =>
        Effect.flatMap(BusinessTime.now, (at) => {
          const reason = reasons[action]
          const calls = waiting.get(campaign)
          waiting.delete(campaign)
          cancelled.set(campaign, { at, reason })
          return calls === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(calls.stop, reason))
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
        calledOff: (campaign, claimedAt) =>
          Effect.suspend(() => {
            const before = cancelled.peek(campaign)
            if (before !== undefined && claimedAt <= before.at) return Effect.succeed(before.reason)
            const calls = waiting.get(campaign) ?? { stop: Deferred.unsafeMake<string>(FiberId.none), count: 0 }
            calls.count += 1
            waiting.set(campaign, calls)
            return Effect.ensuring(
              Deferred.await(calls.stop),
              Effect.sync(() => {
                calls.count -= 1
                if (calls.count === 0 && waiting.get(campaign) === calls) waiting.delete(campaign)
              })
            )
          })
      })
    })
  )
}

/** Calls of a campaign that ring: the end that they wait for, and their number. */
interface Waiting {
  readonly stop: Deferred.Deferred<string>
  count: number
}

/** Cancellations that are remembered, for calls that were claimed before them and are not yet placed. */
const maxCancelled = 1_000

const topic = "campaign-ringing-cancelled"

const reasons = { pause: "cancelled: the campaign was paused", cancel: "cancelled: the campaign was cancelled" }
