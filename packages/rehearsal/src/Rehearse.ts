import { CallLimitsOption } from "@trunkline/telephony"
import { Duration, Effect, Schema } from "effect"
import { type CalleeModel, defaultCallees } from "./callees/CalleeModel.js"
import type { JournalSink } from "./report/Journal.js"
import type { RehearsalReport } from "./report/RehearsalReport.js"
import type { Tally } from "./report/Tally.js"
import { lowestRate } from "./run/LowestRate.js"
import { makeReport, type Prices } from "./run/MakeReport.js"
import { type RehearsalRun, type RehearsedCampaign, runRehearsal } from "./run/RehearsalRun.js"
import { makeContactSource, type RehearsalContacts } from "./simulation/ContactSource.js"

/** Progress of a rehearsal. */
export const RehearsalProgress = Schema.Struct({
  /** `playing` the campaign, or `searching` for the lowest rate that finishes. */
  step: Schema.Literal("playing", "searching"),
  /** Simulated time, epoch milliseconds. */
  at: Schema.Number,
  dials: Schema.NonNegativeInt,
  /** Number of finished contacts. */
  people_done: Schema.NonNegativeInt,
  /** Number of contacts; null while it is not known. */
  people: Schema.NullOr(Schema.NonNegativeInt)
})
export type RehearsalProgress = typeof RehearsalProgress.Type

/** Options of a rehearsal. */
export interface RehearsalOptions {
  readonly campaign: RehearsedCampaign
  readonly contacts: RehearsalContacts
  /** Model of the callees; {@link defaultCallees} when absent. */
  readonly callees?: CalleeModel
  /** Seed of all random numbers; 1 when absent. */
  readonly seed?: number | string
  /** Start of the rehearsal, epoch milliseconds; the start of the campaign when absent. */
  readonly now?: number
  /**
   * Concurrent calls of the workspace. When absent, the sum of the channels of the campaign's lines, or
   * {@link maxRehearsedCalls} where one of them has no limit.
   */
  readonly maxConcurrentCalls?: number
  /** Concurrent calls per connection, by connection id; unlimited when absent. */
  readonly maxChannels?: Readonly<Record<string, number>>
  /** Longest ringing in seconds; that of the engine's default, 40, when absent. */
  readonly ringTimeoutSeconds?: number
  /** Longest conversation in seconds; that of the engine's default, 3,600, when absent. */
  readonly maxDurationSeconds?: number
  readonly prices?: Prices
  /** False to skip the search for the lowest rate that finishes, which plays the campaign several times; default true. */
  readonly lowestRate?: boolean
  /** Receives the progress from time to time; simulated time stands still meanwhile. */
  readonly onProgress?: (progress: RehearsalProgress) => Effect.Effect<void>
  /** Receives the log in chunks of lines; simulated time stands still meanwhile. */
  readonly onLog?: JournalSink
}

/** Concurrent calls where nothing limits them: the most that a request may ask for. */
export const maxRehearsedCalls = 100_000

const channelsOf = ({ campaign, maxChannels = {} }: RehearsalOptions): number => {
  const lines = new Set(campaign.app_config.connection_configs.map(({ connection_id }) => connection_id))
  const sum = Array.from(lines).reduce((sum, line) => sum + (maxChannels[line] ?? Infinity), 0)
  return Math.min(sum, maxRehearsedCalls)
}

/** The time limits of calls, which a rehearsal may set. */
const callLimitsOf = ({ maxDurationSeconds, ringTimeoutSeconds }: RehearsalOptions) =>
  Effect.map(CallLimitsOption, (defaults) => ({
    ...defaults,
    ...(ringTimeoutSeconds !== undefined && { ringTimeout: Duration.seconds(ringTimeoutSeconds) }),
    ...(maxDurationSeconds !== undefined && { maxDuration: Duration.seconds(maxDurationSeconds) })
  }))

/** The campaign cannot be rehearsed. */
export class NothingToRehearse extends Schema.TaggedError<NothingToRehearse>()("NothingToRehearse", {
  /** The problem and how to fix it, for readers. */
  message: Schema.String
}) {}

/** The reason why a campaign cannot be rehearsed; null when it can. */
export const nothingToRehearse = (
  { campaign: { end_timestamp, start_timestamp }, now }: Pick<RehearsalOptions, "campaign" | "now">
): NothingToRehearse | null =>
  end_timestamp.epochMillis <= Math.max(now ?? -Infinity, start_timestamp.epochMillis)
    ? new NothingToRehearse({
      message: "The campaign is over before it begins: set end_timestamp after start_timestamp and after now"
    })
    : null

/**
 * Plays a campaign to its end in simulated time, by the decisions of the production dialling engine, against callees that
 * behave as a model says. Makes no calls and stores nothing. The same options give the same report and log, byte for
 * byte, on every machine.
 *
 * Fails when the campaign ends before it begins.
 */
export const rehearse = (options: RehearsalOptions): Effect.Effect<RehearsalReport, NothingToRehearse> =>
  Effect.scoped(Effect.gen(function*() {
    const { campaign, contacts, onProgress = () => Effect.void } = options
    const nothing = nothingToRehearse(options)
    if (nothing !== null) return yield* nothing
    const now = options.now ?? campaign.start_timestamp.epochMillis
    const total = typeof contacts === "number" ? contacts : Array.isArray(contacts) ? contacts.length : null
    const progressOf = (step: RehearsalProgress["step"], tally: Tally): RehearsalProgress => ({
      step,
      at: tally.lastEventAt ?? now,
      dials: tally.dials,
      people_done: tally.peopleDone,
      people: total
    })
    const play: RehearsalRun = {
      campaign,
      people: yield* makeContactSource(contacts),
      callees: options.callees ?? defaultCallees,
      seed: options.seed ?? 1,
      now,
      maxConcurrentCalls: options.maxConcurrentCalls ?? channelsOf(options),
      channels: options.maxChannels ?? {},
      sink: options.onLog ?? (() => Effect.void),
      onProgress: (tally) => onProgress(progressOf("playing", tally))
    }
    const playedResult = yield* runRehearsal(play)
    yield* onProgress(progressOf("playing", playedResult.tally))
    const report = makeReport(play, playedResult, options.prices ?? null)
    if (options.lowestRate === false || playedResult.read === 0) return { ...report, lowest_rate_that_finishes: null }
    yield* onProgress(progressOf("searching", playedResult.tally))
    return { ...report, lowest_rate_that_finishes: yield* lowestRate(play, playedResult) }
  })).pipe(Effect.provideServiceEffect(CallLimitsOption, callLimitsOf(options)))
