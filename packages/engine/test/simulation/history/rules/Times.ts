import type { CampaignSnapshot, EventOf } from "../History.js"
import { attemptRule, type Breach, type Rule, unless } from "../Rule.js"
import { isOpenAt } from "../WindowOracle.js"

/** Time after its claim within which the claiming process dials an attempt. */
const maxDialDelayMillis = 15_000

const closedReason = ({ end, start, window }: CampaignSnapshot, at: number): string | null =>
  at < start ? "before the start" : at >= end ? "after the end" : isOpenAt(window, at) ? null : "outside the window"

const claims = attemptRule(
  "claims happen only while the campaign is active, within its window and dates",
  (attempt, evidence) =>
    attempt.claimed.flatMap((claim) => {
      if (claim.campaign === null || isBlockedWithoutDial(attempt)) return []
      const campaign = evidence.campaignAt(claim.campaign, claim.seq)
      const why = campaign === null
        ? "for no campaign"
        : campaign.status === "active"
        ? closedReason(campaign, claim.at)
        : `while ${campaign.status}`
      return unless(why === null, claim.seq, `${attempt.id} was claimed ${why}`)
    })
)

/** True for a blocked number, which gets a result without a dial. */
const isBlockedWithoutDial = (
  { requested, ended }: { requested: ReadonlyArray<unknown>; ended: ReadonlyArray<EventOf<"ended">> }
) => requested.length === 0 && ended.some(({ reason }) => reason === "blocked_number")

const dials = attemptRule(
  "a dial after a pause or cancellation was claimed before it, and no dial is outside the window",
  ({ requested, claimed, id }, evidence) =>
    requested.flatMap((request): ReadonlyArray<Breach> => {
      const claim = claimed.findLast(({ seq }) => seq < request.seq)
      if (claim === undefined || claim.campaign === null) return []
      const before = evidence.campaignAt(claim.campaign, claim.seq)
      const why = before && closedReason(before, request.at)
      if (why !== null) return [{ seq: request.seq, message: `${id} was dialled ${why}` }]
      if (request.life === claim.life) {
        return unless(
          request !== requested[0] || request.real - claim.real <= maxDialDelayMillis,
          request.seq,
          `${id} was dialled long after its claim`
        )
      }
      const now = evidence.campaignAt(claim.campaign, request.seq)
      const whyNow = now === null
        ? "without a campaign"
        : now.status === "active"
        ? closedReason(now, request.at)
        : now.status
      return unless(whyNow === null, request.seq, `${id} was taken up again and dialled while ${whyNow}`)
    })
)

/** Rules about the times of claims and dials. */
export const timeRules: ReadonlyArray<Rule> = [claims, dials]
