import type { Evidence } from "../Evidence.js"
import { ofAttempts, type Rule, unless } from "../Rule.js"

/** Whether this number was on the do-not-call list when this place was reached. */
export const isBlockedAt = (evidence: Evidence, number: string, seq: number): boolean => {
  const last = [...evidence.all("blocked"), ...evidence.all("unblocked")]
    .filter((event) => event.seq <= seq && event.numbers.includes(number))
    .reduce(
      (latest: { kind: string; seq: number } | null, event) =>
        latest === null || event.seq > latest.seq ? event : latest,
      null
    )
  return last?.kind === "blocked"
}

/** Whether a stop file of the campaign had this number when this place was reached. */
export const isStoppedAt = (evidence: Evidence, campaign: string, number: string, seq: number): boolean =>
  evidence.all("stopped").some((stop) => stop.seq <= seq && stop.campaign === campaign && stop.numbers.includes(number))

const stopped = ofAttempts(
  "who a stop file has is not claimed any more",
  ({ claimed, id }, evidence) =>
    claimed.flatMap(({ campaign, number, seq }) =>
      unless(
        campaign === null || !isStoppedAt(evidence, campaign, number, seq),
        seq,
        `${id} was claimed for a number of a stop file`
      )
    )
)

const blocked = ofAttempts(
  "a blocked number is dialled only if its claim came first",
  ({ asked, claimed, id }, evidence) =>
    asked.flatMap(({ seq }) => {
      const claim = claimed.find((one) => one.seq < seq)
      return unless(
        claim === undefined || !isBlockedAt(evidence, claim.number, claim.seq),
        seq,
        `${id} was dialled though its number was blocked`
      )
    })
)

/** What must hold of people who are not to be called. */
export const stopRules: ReadonlyArray<Rule> = [stopped, blocked]
