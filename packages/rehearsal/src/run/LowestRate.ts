import { dialWindow } from "@trunkline/campaigns"
import { Effect, Record } from "effect"
import type { RehearsalReport } from "../report/RehearsalReport.js"
import { numberedContacts, sourceOfIterable } from "../simulation/ContactSource.js"
import { openTime } from "./MakeReport.js"
import { type RehearsalRun, type RehearsalRunResult, runRehearsal } from "./RehearsalRun.js"

type LowestRate = NonNullable<RehearsalReport["lowest_rate_that_finishes"]>

/** Highest rate of a campaign, in attempts per second. */
const maxRate = 500

/** Candidate rates: in tenths below 10 dials per second, in ones below 100, in tens up to the maximum. */
const rates: ReadonlyArray<number> = [
  ...Array.from({ length: 100 }, (_, index) => (index + 1) / 10),
  ...Array.from({ length: 90 }, (_, index) => index + 11),
  ...Array.from({ length: 40 }, (_, index) => 10 * (index + 11))
]

/** Number of contacts of a trial run, and the maximum when lines matter. */
const trialContacts = 1_000
const maxTrialContacts = 4_000

/** Fewest lines of a scaled-down run; fewer would be busy by chance far more often than in the full campaign. */
const minLines = 20

/** One in this many contacts may lose a call to the end, because in large lists some always do by chance. */
const toleratedOneIn = 1_000

const finishes = ({ summary, unread }: RehearsalRunResult, goal: LowestRate["goal"]): boolean =>
  summary.waiting + unread === 0 && (goal === "nobody_waiting" || summary.cutOff <= summary.enrolled / toleratedOneIn)

/** Scale of a trial run: one in `step` contacts, and the number of lines, or null for no limit. */
interface Scale {
  readonly step: number
  readonly lines: number | null
}

/** A scale at which a campaign with this many contacts plays quickly. */
export const scaleFor = (people: number, lines: number, linesMatter: boolean): Scale => {
  const step = Math.max(1, Math.floor(people / trialContacts))
  if (!linesMatter) return { step, lines: null }
  const fine = Math.max(1, Math.min(step, Math.floor(lines / minLines)))
  return people / fine <= maxTrialContacts || step === 1
    ? { step: fine, lines: Math.max(1, Math.round(lines / fine)) }
    : { step, lines: null }
}

/** More lines than any rate fills. */
const noLimit = 1_000_000

/**
 * Finds the lowest rate at which a campaign finishes in time, by a binary search over runs. Large campaigns are scaled
 * down: a sample of the contacts at a proportionally lower rate.
 */
export const lowestRate = (play: RehearsalRun, playedResult: RehearsalRunResult): Effect.Effect<LowestRate> =>
  Effect.gen(function*() {
    const people = playedResult.read
    const linesMatter = playedResult.tally.waited(playedResult.over_at) > 0
    const { lines, step } = scaleFor(people, play.maxConcurrentCalls, linesMatter)
    const people_tried = Math.ceil(people / step)
    let runs = 0

    const tryAt = (rate: number) =>
      Effect.suspend(() => {
        runs += 1
        const { app_config } = play.campaign
        return runRehearsal({
          ...play,
          campaign: { ...play.campaign, app_config: { ...app_config, attempts_per_second: rate / step } },
          people: sourceOfIterable(numberedContacts(people, step)),
          maxConcurrentCalls: lines ?? noLimit,
          channels: lines === null
            ? {}
            : Record.map(play.channels, (channels) => Math.max(1, Math.round(channels / step))),
          sink: () => Effect.void,
          onProgress: () => Effect.void
        })
      })

    const answer = (attempts_per_second: number | null, goal: LowestRate["goal"]): LowestRate => ({
      attempts_per_second,
      goal,
      people_tried,
      lines: lines === null ? null : lines * step,
      runs
    })

    /** The upper bound: the campaign's rate, or the maximum where that is too low. */
    const start = Effect.gen(function*() {
      const campaignRate = play.campaign.app_config.attempts_per_second
      const asPlayed = step === 1 ? playedResult : yield* tryAt(campaignRate)
      if (finishes(asPlayed, "every_call")) return { fast: campaignRate, goal: "every_call" } as const
      const atMaxRate = yield* tryAt(maxRate)
      if (finishes(atMaxRate, "every_call")) return { fast: maxRate, goal: "every_call" } as const
      if (finishes(asPlayed, "nobody_waiting")) return { fast: campaignRate, goal: "nobody_waiting" } as const
      return { fast: finishes(atMaxRate, "nobody_waiting") ? maxRate : null, goal: "nobody_waiting" } as const
    })

    const range = yield* start
    if (range.fast === null) return answer(null, range.goal)

    const { allowed_schedule, end_timestamp, start_timestamp } = play.campaign
    const open = openTime(
      dialWindow(allowed_schedule),
      Math.max(play.now, start_timestamp.epochMillis),
      end_timestamp.epochMillis
    )
    // Each contact takes at least one call, so that lower rates are certainly too low.
    const fewest = people / (open / 1_000)
    const lower = rates.filter((rate) => rate >= fewest && rate < (range.fast ?? maxRate))
    let [tooLow, enough] = [-1, lower.length]
    while (enough - tooLow > 1) {
      const middle = Math.floor((tooLow + enough) / 2)
      if (finishes(yield* tryAt(lower[middle] ?? maxRate), range.goal)) enough = middle
      else tooLow = middle
    }
    return answer(lower[enough] ?? range.fast, range.goal)
  })
