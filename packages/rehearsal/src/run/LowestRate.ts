import { dialWindow } from "@trunkline/campaigns"
import { Effect, Record } from "effect"
import type { RehearsalReport } from "../report/RehearsalReport.js"
import { openTime } from "../report/ReportOf.js"
import { type Play, type Played, playThrough } from "./Playthrough.js"
import { countedPeople, peopleSource } from "./RehearsedPeople.js"

type LowestRate = NonNullable<RehearsalReport["lowest_rate_that_finishes"]>

/** The fastest pace that a campaign may have (shapes 3.2). */
const FASTEST = 500

/** The paces that are tried: by tenths below 10 dials a second, by ones below 100, by tens up to the fastest. */
const paces: ReadonlyArray<number> = [
  ...Array.from({ length: 100 }, (_, index) => (index + 1) / 10),
  ...Array.from({ length: 90 }, (_, index) => index + 11),
  ...Array.from({ length: 40 }, (_, index) => 10 * (index + 11))
]

/** People who are enough to try with, and the most that are tried with for the sake of lines. */
const ENOUGH = 1_000
const AT_MOST = 4_000

/** Fewer lines than this in a small copy would be taken by chance far more often than in the whole. */
const FEWEST_LINES = 20

/** Of so many people one whom nobody has reached may lose a call to the end: chance spares no large list. */
const ONE_OF = 1_000

const finishes = ({ leftovers, unread }: Played, goal: LowestRate["goal"]): boolean =>
  leftovers.waiting + unread === 0 && (goal === "nobody_waiting" || leftovers.cutOff <= leftovers.enrolled / ONE_OF)

/** A copy of a campaign that has one person for every `step` of them, and as many lines; without a limit when null. */
interface Scale {
  readonly step: number
  readonly lines: number | null
}

/** A scale at which a campaign of so many people is quickly played. */
export const scaleFor = (people: number, lines: number, linesMatter: boolean): Scale => {
  const step = Math.max(1, Math.floor(people / ENOUGH))
  if (!linesMatter) return { step, lines: null }
  const fine = Math.max(1, Math.min(step, Math.floor(lines / FEWEST_LINES)))
  return people / fine <= AT_MOST || step === 1
    ? { step: fine, lines: Math.max(1, Math.round(lines / fine)) }
    : { step, lines: null }
}

/** Many more than any pace fills. */
const NO_LIMIT = 1_000_000

/**
 * Looks for the lowest pace at which a campaign is done in time, by playing it again: halving the distance between one that
 * is too slow and one that is fast enough. Many people are stood for by some of them, at a pace that is as much slower.
 */
export const lowestRate = (play: Play, played: Played): Effect.Effect<LowestRate> =>
  Effect.gen(function*() {
    const people = played.read
    const linesMatter = played.tally.waited(played.over_at) > 0
    const { lines, step } = scaleFor(people, play.maxConcurrentCalls, linesMatter)
    const people_tried = Math.ceil(people / step)
    let runs = 0

    const tryAt = (rate: number) =>
      Effect.scoped(Effect.gen(function*() {
        runs += 1
        const { app_config } = play.campaign
        return yield* playThrough({
          ...play,
          campaign: { ...play.campaign, app_config: { ...app_config, attempts_per_second: rate / step } },
          people: yield* peopleSource(countedPeople(people, step)),
          maxConcurrentCalls: lines ?? NO_LIMIT,
          channels: lines === null
            ? {}
            : Record.map(play.channels, (channels) => Math.max(1, Math.round(channels / step))),
          sink: () => Effect.void,
          onEnded: () => Effect.void
        })
      }))

    const answer = (attempts_per_second: number | null, goal: LowestRate["goal"]): LowestRate => ({
      attempts_per_second,
      goal,
      people_tried,
      lines: lines === null ? null : lines * step,
      runs
    })

    /** The pace of the campaign, and the fastest one where that is too slow. */
    const start = Effect.gen(function*() {
      const own = play.campaign.app_config.attempts_per_second
      const asPlayed = step === 1 ? played : yield* tryAt(own)
      if (finishes(asPlayed, "every_call")) return { fast: own, goal: "every_call" } as const
      const atMost = yield* tryAt(FASTEST)
      if (finishes(atMost, "every_call")) return { fast: FASTEST, goal: "every_call" } as const
      if (finishes(asPlayed, "nobody_waiting")) return { fast: own, goal: "nobody_waiting" } as const
      return { fast: finishes(atMost, "nobody_waiting") ? FASTEST : null, goal: "nobody_waiting" } as const
    })

    const found = yield* start
    if (found.fast === null) return answer(null, found.goal)

    const { allowed_schedule, end_timestamp, start_timestamp } = play.campaign
    const open = openTime(
      dialWindow(allowed_schedule),
      Math.max(play.now, start_timestamp.epochMillis),
      end_timestamp.epochMillis
    )
    // Everybody is called once at least, so slower paces are too slow for certain.
    const fewest = people / (open / 1_000)
    const slower = paces.filter((pace) => pace >= fewest && pace < (found.fast ?? FASTEST))
    let [tooSlow, enough] = [-1, slower.length]
    while (enough - tooSlow > 1) {
      const middle = Math.floor((tooSlow + enough) / 2)
      if (finishes(yield* tryAt(slower[middle] ?? FASTEST), found.goal)) enough = middle
      else tooSlow = middle
    }
    return answer(slower[enough] ?? found.fast, found.goal)
  })
