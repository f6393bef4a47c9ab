import type { Evidence } from "../Evidence.js"
import { attemptRule, type Rule, unless } from "../Rule.js"

/** True when a number was on the do-not-call list at a position of the history. */
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

/** True when a stop file of the campaign contained a number at a position of the history. */
export const isStoppedAt = (evidence: Evidence, campaign: string, number: string, seq: number): boolean =>
  evidence.all("stopped").some((stop) => stop.seq <= seq && stop.campaign === campaign && stop.numbers.includes(number))

const stopped = attemptRule(
  "a number on a stop file is not claimed",
  ({ claimed, id }, evidence) =>
    claimed.flatMap(({ campaign, number, seq }) =>
      unless(
        campaign === null || !isStoppedAt(evidence, campaign, number, seq),
        seq,
        `${id} was claimed for a number of a stop file`
      )
    )
)

const blocked = attemptRule(
  "a blocked number is dialled only when it was claimed before",
  ({ requested, claimed, id }, evidence) =>
    requested.flatMap(({ seq }) => {
      const claim = claimed.find((one) => one.seq < seq)
      return unless(
        claim === undefined || !isBlockedAt(evidence, claim.number, claim.seq),
        seq,
        `${id} was dialled though its number was blocked`
      )
    })
)

/** Rules about contacts that must not be called. */
export const stopRules: ReadonlyArray<Rule> = [stopped, blocked]
