import { BusinessTime } from "@trunkline/kernel"
import { DEFAULT_MAX_CONCURRENT_CALLS } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import { type CalleeModel, defaultCallees } from "./callees/CalleeModel.js"
import type { JournalSink } from "./report/Journal.js"
import type { Prices } from "./report/Prices.js"
import type { RehearsalReport } from "./report/RehearsalReport.js"
import { reportOf } from "./report/ReportOf.js"
import type { Tally } from "./report/Tally.js"
import { lowestRate } from "./run/LowestRate.js"
import { type Play, playThrough, type RehearsedCampaign } from "./run/Playthrough.js"
import { peopleSource, type RehearsalContacts } from "./run/RehearsedPeople.js"

/** How far a rehearsal is. */
export const RehearsalProgress = Schema.Struct({
  /** `playing` the campaign, or `searching` for the lowest rate that finishes. */
  step: Schema.Literal("playing", "searching"),
  /** The simulated time, epoch milliseconds. */
  at: Schema.Number,
  dials: Schema.NonNegativeInt,
  /** People who are done with. */
  people_done: Schema.NonNegativeInt,
  /** Null while it is not known how many people there are. */
  people: Schema.NullOr(Schema.NonNegativeInt)
})
export type RehearsalProgress = typeof RehearsalProgress.Type

/** What is rehearsed, and how. */
export interface RehearsalOptions {
  readonly campaign: RehearsedCampaign
  readonly contacts: RehearsalContacts
  /** How people take calls; the default model when absent. */
  readonly callees?: CalleeModel
  /** Everything random comes from it; 1 when absent. */
  readonly seed?: number | string
  /** When the rehearsal begins, epoch milliseconds; the start of the campaign when absent. */
  readonly now?: number
  /** Calls that the workspace holds at once; 10 when absent, as in the engine. */
  readonly maxConcurrentCalls?: number
  /** How many calls connections carry at once, by their ids; no limit of their own when absent. */
  readonly maxChannels?: Readonly<Record<string, number>>
  readonly prices?: Prices
  /** Whether to look for the lowest rate that finishes, which plays the campaign some more times; true when absent. */
  readonly lowestRate?: boolean
  /** Told from time to time how far the rehearsal is; its time stands still meanwhile. */
  readonly onProgress?: (progress: RehearsalProgress) => Effect.Effect<void>
  /** Takes the log, some lines at a time; the time of the rehearsal stands still meanwhile. */
  readonly onLog?: JournalSink
}

/** What was asked for cannot be rehearsed. */
export class NothingToRehearse extends Schema.TaggedError<NothingToRehearse>()("NothingToRehearse", {
  /** What is wrong and what to do about it, for people to read. */
  message: Schema.String
}) {}

/** Why there is nothing to rehearse; null when there is. */
export const nothingToRehearse = (
  { campaign: { end_timestamp, start_timestamp }, now }: Pick<RehearsalOptions, "campaign" | "now">
): NothingToRehearse | null =>
  end_timestamp.epochMillis <= Math.max(now ?? -Infinity, start_timestamp.epochMillis)
    ? new NothingToRehearse({
      message: "The campaign is over before it begins: set end_timestamp after start_timestamp and after now"
    })
    : null

/** Calls between two tellings. */
const tellEvery = 100

/**
 * Plays a campaign to its end, with the engine that dials in earnest, in simulated time, against people who answer as a
 * model says. Nobody is called and nothing is stored. The same options give the same report and the same log, byte for
 * byte, on every machine.
 *
 * Fails when the campaign is over before it begins.
 */
export const rehearse = (options: RehearsalOptions): Effect.Effect<RehearsalReport, NothingToRehearse> =>
  Effect.scoped(Effect.gen(function*() {
    const { campaign, contacts, onProgress = () => Effect.void } = options
    const nothing = nothingToRehearse(options)
    if (nothing !== null) return yield* nothing
    const now = options.now ?? campaign.start_timestamp.epochMillis
    const total = typeof contacts === "number" ? contacts : Array.isArray(contacts) ? contacts.length : null
    let calls = 0
    const progressOf = (step: RehearsalProgress["step"], tally: Tally): RehearsalProgress => ({
      step,
      at: tally.lastEventAt ?? now,
      dials: tally.dials,
      people_done: tally.peopleDone,
      people: total
    })
    const play: Play = {
      campaign,
      people: yield* peopleSource(contacts),
      callees: options.callees ?? defaultCallees,
      seed: options.seed ?? 1,
      now,
      maxConcurrentCalls: options.maxConcurrentCalls ?? DEFAULT_MAX_CONCURRENT_CALLS,
      channels: options.maxChannels ?? {},
      sink: options.onLog ?? (() => Effect.void),
      onEnded: (tally) => {
        calls += 1
        return calls % tellEvery === 0 ? BusinessTime.hold(onProgress(progressOf("playing", tally))) : Effect.void
      }
    }
    const played = yield* playThrough(play)
    yield* onProgress(progressOf("playing", played.tally))
    const report = reportOf(play, played, options.prices ?? null)
    if (options.lowestRate === false || played.read === 0) return { ...report, lowest_rate_that_finishes: null }
    yield* onProgress(progressOf("searching", played.tally))
    return { ...report, lowest_rate_that_finishes: yield* lowestRate(play, played) }
  }))
