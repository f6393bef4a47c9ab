import type { CampaignSeen, Of } from "../History.js"
import { type Breach, ofAttempts, type Rule, unless } from "../Rule.js"
import { isOpenAt } from "../WindowOracle.js"

/** How long after its claim an attempt may be dialled for the first time by the life that claimed it. */
const PROMPT_MILLIS = 15_000

const whyNot = ({ end, start, window }: CampaignSeen, at: number): string | null =>
  at < start ? "before the start" : at >= end ? "after the end" : isOpenAt(window, at) ? null : "outside the window"

const claims = ofAttempts(
  "claims are made only while the campaign runs, in its window and dates",
  (attempt, evidence) =>
    attempt.claimed.flatMap((claim) => {
      if (claim.campaign === null || isRefusedUnasked(attempt)) return []
      const campaign = evidence.campaignAt(claim.campaign, claim.seq)
      const why = campaign === null
        ? "for no campaign"
        : campaign.status === "active"
        ? whyNot(campaign, claim.at)
        : `while ${campaign.status}`
      return unless(why === null, claim.seq, `${attempt.id} was claimed ${why}`)
    })
)

/** Someone blocked, who gets a result without a dial. */
const isRefusedUnasked = ({ asked, ended }: { asked: ReadonlyArray<unknown>; ended: ReadonlyArray<Of<"ended">> }) =>
  asked.length === 0 && ended.some(({ reason }) => reason === "blocked_number")

const dials = ofAttempts(
  "a dial follows a pause, a cancel or the end of a window only if its claim came first, and never that end",
  ({ asked, claimed, id }, evidence) =>
    asked.flatMap((ask): ReadonlyArray<Breach> => {
      const claim = claimed.findLast(({ seq }) => seq < ask.seq)
      if (claim === undefined || claim.campaign === null) return []
      const before = evidence.campaignAt(claim.campaign, claim.seq)
      const why = before && whyNot(before, ask.at)
      if (why !== null) return [{ seq: ask.seq, what: `${id} was dialled ${why}` }]
      if (ask.life === claim.life) {
        return unless(
          ask !== asked[0] || ask.real - claim.real <= PROMPT_MILLIS,
          ask.seq,
          `${id} was dialled long after its claim`
        )
      }
      const now = evidence.campaignAt(claim.campaign, ask.seq)
      const whyNow = now === null ? "without a campaign" : now.status === "active" ? whyNot(now, ask.at) : now.status
      return unless(whyNow === null, ask.seq, `${id} was taken up again and dialled while ${whyNow}`)
    })
)

/** What must hold of the moments of dials. */
export const timeRules: ReadonlyArray<Rule> = [claims, dials]
