import type { Evidence } from "../Evidence.js"
import type { EventOf } from "../History.js"
import type { Breach, Rule } from "../Rule.js"

/** Tolerated delay of timers, in seconds. */
const timerDelay = 0.02

/** First dials of the attempts of a campaign. Dials that a later process repeats are not counted. */
const firstRequests = (evidence: Evidence, campaign: string): ReadonlyArray<EventOf<"requested">> =>
  [...evidence.attempts.values()]
    .flatMap(({ requested: [first], claimed: [claim] }) =>
      first !== undefined && claim?.campaign === campaign && first.life === claim.life ? [first] : []
    )
    .sort((a, b) => a.seq - b.seq)

/** Highest rate of a campaign between two positions. */
const rateBetween = (evidence: Evidence, campaign: string, from: number, to: number): number =>
  Math.max(
    evidence.campaignAt(campaign, from)?.rate ?? 0,
    ...evidence.versions(campaign).filter(({ seq }) => seq > from && seq < to).map((version) => version.campaign.rate)
  )

/**
 * Any period contains at most as many dials as its length allows, plus one: idle time, such as a pause or a night, is not
 * made up for. A restart and a clock adjustment may each add one, because they lose the time of the last dial.
 */
const pace: Rule = {
  name: "a campaign dials no faster than its rate, and does not catch up after idle time",
  breaches: (evidence) =>
    evidence.campaignIds.flatMap((campaign) => {
      const requests = firstRequests(evidence, campaign)
      const lost = [...evidence.all("started"), ...evidence.all("clock")]
      return requests.flatMap((last, index): ReadonlyArray<Breach> => {
        const early = requests.slice(0, index).findIndex((first, place) => {
          const seconds = (last.real - first.real) / 1000 + timerDelay
          const forgiven = lost.filter(({ seq }) => seq > first.seq && seq < last.seq).length
          const rate = rateBetween(evidence, campaign, first.seq, last.seq)
          return index - place > seconds * rate + forgiven + 1e-6
        })
        return early < 0 ? [] : [{ seq: last.seq, message: `${last.attempt} was dialled too soon` }]
      })
    })
}

/** Rules about the pace of dials. */
export const paceRules: ReadonlyArray<Rule> = [pace]
