import { BusinessTime, lastOpening } from "@trunkline/kernel"
import { Effect } from "effect"
import { dialWindow } from "../campaign/AllowedSchedule.js"
import { CampaignStore, type OwnedCampaign } from "../campaign/CampaignStore.js"
import { CampaignDialLimits } from "../gate/Blocker.js"
import { Gate } from "../gate/Gate.js"
import { DialLog } from "../store/DialLog.js"
import { DialQueue } from "../store/DialQueue.js"

/**
 * Makes an effect that tells how long the oldest due contact waits although its campaign may dial, in milliseconds of business
 * time; 0 when none does. It works in every process, whichever one runs the campaign.
 *
 * A contact waits from the latest of these moments: it is due, its campaign has changed, has begun, or has dialled somebody
 * else, its hours have opened, its rate allows the next dial. So a long queue that is called as fast as it may be is not late,
 * and a campaign that is paused, closed or without a free line is not either.
 */
export const makeOldestDue = Effect.gen(function*() {
  const campaigns = yield* CampaignStore
  const queue = yield* DialQueue
  const log = yield* DialLog
  const gate = yield* Gate
  const dialLimits = yield* CampaignDialLimits

  const waitOf = (ownedCampaign: OwnedCampaign, now: number) =>
    Effect.gen(function*() {
      const { allowed_schedule, campaign_id, start_timestamp, updated_at } = ownedCampaign.campaign
      const due = yield* queue.nextDue(campaign_id)
      if (due === null || due > now || (yield* gate.campaign(ownedCampaign, now)).verdict !== "allow") return 0
      const { nextDialAt } = yield* dialLimits.of(campaign_id)
      const lastDial = (yield* log.lastDial(campaign_id)) ?? 0
      const since = [due, lastDial, nextDialAt, start_timestamp.epochMillis, updated_at.epochMillis]
      return Math.max(0, now - Math.max(...since, lastOpening(dialWindow(allowed_schedule), now)))
    })

  return Effect.gen(function*() {
    const now = yield* BusinessTime.now
    const waits = yield* Effect.forEach(yield* campaigns.open, (ownedCampaign) => waitOf(ownedCampaign, now))
    return Math.max(0, ...waits)
  })
})
