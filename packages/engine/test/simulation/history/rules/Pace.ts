import type { Evidence } from "../Evidence.js"
import type { Of } from "../History.js"
import type { Breach, Rule } from "../Rule.js"

/** How late a timer may wake without slowing a fast campaign down, in seconds. */
const LATENESS = 0.02

/**
 * Who is dialled by a campaign for the first time in an attempt. What a later life takes up again is not counted: it had
 * its place in the beat when it was claimed.
 */
const firstAsks = (evidence: Evidence, campaign: string): ReadonlyArray<Of<"asked">> =>
  [...evidence.attempts.values()]
    .flatMap(({ asked: [first], claimed: [claim] }) =>
      first !== undefined && claim?.campaign === campaign && first.life === claim.life ? [first] : []
    )
    .sort((a, b) => a.seq - b.seq)

/** The highest rate that was set between two places. */
const rateBetween = (evidence: Evidence, campaign: string, from: number, to: number): number =>
  Math.max(
    evidence.campaignAt(campaign, from)?.rate ?? 0,
    ...evidence.versions(campaign).filter(({ seq }) => seq > from && seq < to).map((version) => version.campaign.rate)
  )

/**
 * In any stretch of time there are no more dials than its length allows, and one: whatever was not used, in a pause
 * or a night, is not made up for. A restart and a clock that was set may each give one more, since the beat is lost.
 */
const pace: Rule = {
  name: "a campaign dials no faster than its rate, and banks nothing",
  breaches: (evidence) =>
    evidence.campaignIds.flatMap((campaign) => {
      const asks = firstAsks(evidence, campaign)
      const lost = [...evidence.all("started"), ...evidence.all("clock")]
      return asks.flatMap((last, index): ReadonlyArray<Breach> => {
        const early = asks.slice(0, index).findIndex((first, place) => {
          const seconds = (last.real - first.real) / 1000 + LATENESS
          const forgiven = lost.filter(({ seq }) => seq > first.seq && seq < last.seq).length
          const rate = rateBetween(evidence, campaign, first.seq, last.seq)
          return index - place > seconds * rate + forgiven + 1e-6
        })
        return early < 0 ? [] : [{ seq: last.seq, what: `${last.attempt} was dialled too soon` }]
      })
    })
}

/** What must hold of how fast dials follow one another. */
export const paceRules: ReadonlyArray<Rule> = [pace]
