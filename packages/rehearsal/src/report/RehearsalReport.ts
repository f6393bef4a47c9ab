import { GateReason } from "@trunkline/campaigns"
import { Timestamp, TimeZone } from "@trunkline/kernel"
import { Schema } from "effect"
import { RehearsedOutcome } from "./Outcome.js"

const Count = Schema.NonNegativeInt
const Minutes = Schema.NonNegative

/** What happened in one hour. */
const HourRecord = Schema.Struct({
  /** The hour on the clocks of the campaign's zone: `2026-01-31 09:00`. */
  hour: Schema.String,
  dials: Count,
  /** Those of its dials that a person answered. */
  answers: Count,
  /** Of those and of voicemails. */
  talk_minutes: Minutes,
  /** The most calls at once after a dial of this hour. */
  peak_calls: Count
})

/** What happened at one hour of the day, on all days together. */
const HourOfDayRecord = Schema.Struct({
  hour: Schema.Int.pipe(Schema.between(0, 23)),
  dials: Count,
  answers: Count
})

/** One opening of the campaign's window in which somebody was dialled. */
const WindowRecord = Schema.Struct({
  first_dial_at: Timestamp,
  last_dial_at: Timestamp,
  closes_at: Timestamp,
  dials: Count,
  answers: Count
})

/** Why people were never reached: what the engine's gate decided last, and what came of their last call. */
const NeverReachedCause = Schema.Struct({
  reason: GateReason,
  /** Null for those who were never called. */
  last_outcome: Schema.NullOr(RehearsedOutcome),
  people: Count
})

const NeverReachedExample = Schema.Struct({
  /** Their place in the list, from 1. */
  person: Schema.Int,
  calls: Count,
  reason: GateReason,
  last_outcome: Schema.NullOr(RehearsedOutcome)
})

/** What calls cost, by the prices that were given. */
const CostRecord = Schema.Struct({
  currency: Schema.String,
  from: Schema.NonNegative,
  to: Schema.NonNegative,
  /** Minutes of connected calls, each rounded up to whole pulses. */
  billed_minutes: Minutes
})

/** The slowest pace that is still fast enough, found by playing the campaign again at other paces. */
const LowestRate = Schema.Struct({
  /** Null when no pace up to 500 is fast enough. */
  attempts_per_second: Schema.NullOr(Schema.Number),
  /**
   * What is asked for: `every_call`, that everybody is dealt with before the end, and at most one person of a thousand
   * who was not reached loses a call to it; or, where no pace gives that, `nobody_waiting`: that everybody was called and nobody waits.
   */
  goal: Schema.Literal("every_call", "nobody_waiting"),
  /** How many people it was tried with: where these are fewer than there are, pace and lines were scaled down alike. */
  people_tried: Count,
  /** Lines that were there, scaled back up; null when it was tried without a limit. */
  lines: Schema.NullOr(Count),
  /** How often the campaign was played for it. */
  runs: Count
})

/** How many lines the campaign would use, by arithmetic. */
const LinesNeeded = Schema.Struct({
  /** So many keep the pace of the campaign nearly always: the mean, and two standard deviations of a Poisson number. */
  for_the_rate: Count,
  /** With fewer there is not enough time on the phone until the end; null when the window does not open any more. */
  to_finish: Schema.NullOr(Count),
  /** Minutes during which somebody was due and every line was taken. */
  waited_minutes: Minutes
})

/**
 * How a campaign went in simulated time. Moments are those of the simulation; minutes are rounded to tenths. Nobody's
 * number is in it: people are named by their place in the list.
 */
export const RehearsalReport = Schema.Struct({
  seed: Schema.Union(Schema.String, Schema.Number),
  timezone: TimeZone,
  attempts_per_second: Schema.Number,
  max_concurrent_calls: Count,
  /** When it began: `now`. */
  began_at: Timestamp,
  start_timestamp: Timestamp,
  end_timestamp: Timestamp,
  /** Whether everybody was dealt with before the end of the campaign. */
  finished: Schema.Boolean,
  /** When the last call was over; null when nobody was called. */
  last_call_over_at: Schema.NullOr(Timestamp),
  /** Different people in the list. */
  people: Count,
  /** People who were in the list already, by their number. */
  duplicates: Count,
  /** People who still waited for a call when the campaign ended, or had not been looked at. */
  people_left: Count,
  dials: Count,
  outcomes: Schema.Array(Schema.Struct({ outcome: RehearsedOutcome, calls: Count })),
  talk_minutes: Minutes,
  /** From the dial to the end of each call. */
  line_minutes: Minutes,
  peak_calls: Count,
  peak_at: Schema.NullOr(Timestamp),
  /** People whom the agent talked with. */
  reached: Schema.Struct({
    people: Count,
    /** Of these, those who were reached first by their first call, their second, and so on. */
    by_call: Schema.Array(Count)
  }),
  never_reached: Schema.Struct({
    people: Count,
    causes: Schema.Array(NeverReachedCause),
    examples: Schema.Array(NeverReachedExample)
  }),
  calls_per_hour: Schema.Array(HourRecord),
  /** Later hours with calls that there was no room for. */
  hours_left_out: Count,
  hours_of_day: Schema.Array(HourOfDayRecord),
  windows: Schema.Array(WindowRecord),
  windows_left_out: Count,
  cost: Schema.NullOr(CostRecord),
  /** Null when it was not looked for. */
  lowest_rate_that_finishes: Schema.NullOr(LowestRate),
  lines_needed: LinesNeeded,
  /** The log: how many lines it has, and its SHA-256 in hex digits. */
  log: Schema.Struct({ lines: Count, sha256: Schema.String })
}).annotations({ identifier: "RehearsalReport" })
export type RehearsalReport = typeof RehearsalReport.Type
