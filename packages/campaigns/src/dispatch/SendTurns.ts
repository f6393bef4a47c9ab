import { BusinessTime, type CampaignId } from "@trunkline/kernel"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Campaign } from "../campaign/Campaign.js"
import { fastRate } from "./Pace.js"

/** Share of the gap between two dials that is kept between their requests. The rest lets those that are late catch up. */
const intervalShare = 0.98

/** Campaigns whose last request is known; the one that sent none for the longest time is forgotten for a new one. */
const maxCampaigns = 1_000

/** Longest wait for a turn in milliseconds, well below the time that a provider has to accept a call. */
const maxWait = 2_000

/** Waits for the turn of a campaign's next request to leave. */
export type SendTurns = (campaign: Campaign) => Effect.Effect<void>

/** Turns of one campaign. */
interface CampaignTurns {
  readonly queue: Effect.Semaphore
  /** Moment of the last turn, in epoch milliseconds of business time. */
  last: number
}

/**
 * Keeps the requests of each campaign apart as they leave. Their claims are apart already, but what comes between a claim
 * and its request may take longer for one than for the next. Campaigns above `fastRate` have no turns.
 */
export const makeSendTurns = (): SendTurns => {
  const campaigns = new LRUCache<CampaignId, CampaignTurns>({ max: maxCampaigns })

  const turnsOf = (id: CampaignId): CampaignTurns => {
    const turns = campaigns.get(id) ?? { queue: Effect.unsafeMakeSemaphore(1), last: -Infinity }
    campaigns.set(id, turns)
    return turns
  }

  /** Waits for the gap since the last turn, as far as it is not longer than a dial may wait. */
  const wait = (turns: CampaignTurns, gap: number) =>
    Effect.flatMap(BusinessTime.now, (now) => {
      const at = Math.min(turns.last + gap, now + maxWait)
      return at > now ? BusinessTime.sleepUntil(at) : Effect.void
    })

  return ({ app_config: { attempts_per_second }, campaign_id }) =>
    attempts_per_second > fastRate ? Effect.void : Effect.suspend(() => {
      const turns = turnsOf(campaign_id)
      // Timers are late by some milliseconds: the gap counts from the moment at which the last one has fired.
      const noteTurn = Effect.map(BusinessTime.now, (now) => void (turns.last = now))
      return turns.queue.withPermits(1)(
        Effect.zipRight(wait(turns, intervalShare * 1_000 / attempts_per_second), noteTurn)
      )
    })
}
