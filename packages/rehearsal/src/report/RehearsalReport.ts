import { GateReason } from "@trunkline/campaigns"
import { Timestamp, TimeZone } from "@trunkline/kernel"
import { Schema } from "effect"

/**
 * Outcome of a dial: the callee or a voicemail picked up; the line was busy; no answer; the network could not connect; the
 * number is not in service; the provider rejected the call; or it was not dialled.
 */
export const RehearsedOutcome = Schema.Literal(
  "answered",
  "voicemail",
  "busy",
  "no_answer",
  "failed",
  "invalid_number",
  "provider_error",
  "not_dialled"
)
export type RehearsedOutcome = typeof RehearsedOutcome.Type

/** All outcomes, in the order of reports. */
export const outcomes = RehearsedOutcome.literals

const Count = Schema.NonNegativeInt
const Minutes = Schema.NonNegative

/** Figures of one hour. */
const HourRecord = Schema.Struct({
  /** The local hour in the campaign's zone: `2026-01-31 09:00`. */
  hour: Schema.String,
  dials: Count,
  /** Number of its dials that the callee answered. */
  answers: Count,
  /** Minutes of those calls and of voicemails. */
  talk_minutes: Minutes,
  /** Peak of concurrent calls in this hour. */
  peak_calls: Count
})

/** Figures of one hour of the day, over all days. */
const HourOfDayRecord = Schema.Struct({
  hour: Schema.Int.pipe(Schema.between(0, 23)),
  dials: Count,
  answers: Count
})

/** Figures of one opening of the campaign's window with dials. */
const WindowRecord = Schema.Struct({
  first_dial_at: Timestamp,
  last_dial_at: Timestamp,
  closes_at: Timestamp,
  dials: Count,
  answers: Count
})

/** Reason for contacts that were never reached: the last decision of the gate and the outcome of the last call. */
const NeverReachedCause = Schema.Struct({
  reason: GateReason,
  /** Null for contacts that were never called. */
  last_outcome: Schema.NullOr(RehearsedOutcome),
  people: Count
})

const NeverReachedExample = Schema.Struct({
  /** Position in the list, from 1. */
  person: Schema.Int,
  calls: Count,
  reason: GateReason,
  last_outcome: Schema.NullOr(RehearsedOutcome)
})

/** Cost of the calls by the given prices. */
const CostRecord = Schema.Struct({
  currency: Schema.String,
  from: Schema.NonNegative,
  to: Schema.NonNegative,
  /** Minutes of connected calls, each rounded up to whole billing increments. */
  billed_minutes: Minutes
})

/** The lowest rate at which the campaign finishes in time, found by playing it at other rates. */
const LowestRate = Schema.Struct({
  /** Null when no rate up to 500 is high enough. */
  attempts_per_second: Schema.NullOr(Schema.Number),
  /**
   * The goal: with `every_call` all contacts are finished before the end, and at most one in a thousand unreached contacts
   * loses a call to it. If no rate reaches that, `nobody_waiting`: all contacts are called and none waits.
   */
  goal: Schema.Literal("every_call", "nobody_waiting"),
  /** Number of contacts of the trial runs. When it is smaller, rate and lines were scaled down alike. */
  people_tried: Count,
  /** Number of lines, scaled back up; null when the trial runs had no limit. */
  lines: Schema.NullOr(Count),
  /** Number of trial runs. */
  runs: Count
})

/** Computed number of lines that the campaign needs. */
const LinesNeeded = Schema.Struct({
  /** Lines that sustain the rate nearly always: the mean plus two standard deviations of a Poisson distribution. */
  for_the_rate: Count,
  /** Fewest lines with enough call time until the end; null when the window does not open again. */
  to_finish: Schema.NullOr(Count),
  /** Minutes during which a contact was due and all lines were busy. */
  waited_minutes: Minutes
})

/**
 * Report of a rehearsal. Moments are in simulated time; minutes are rounded to tenths. It has no phone numbers: contacts
 * are named by their position in the list.
 */
export const RehearsalReport = Schema.Struct({
  seed: Schema.Union(Schema.String, Schema.Number),
  timezone: TimeZone,
  attempts_per_second: Schema.Number,
  max_concurrent_calls: Count,
  /** Start of the rehearsal: `now`. */
  began_at: Timestamp,
  start_timestamp: Timestamp,
  end_timestamp: Timestamp,
  /** True when all contacts were finished before the end of the campaign. */
  finished: Schema.Boolean,
  /** End of the last call; null without calls. */
  last_call_over_at: Schema.NullOr(Timestamp),
  /** Number of different contacts in the list. */
  people: Count,
  /** Number of repeated phone numbers in the list. */
  duplicates: Count,
  /** Number of contacts that still waited or were not enrolled when the campaign ended. */
  people_left: Count,
  dials: Count,
  outcomes: Schema.Array(Schema.Struct({ outcome: RehearsedOutcome, calls: Count })),
  talk_minutes: Minutes,
  /** Minutes from the dial to the end of each call. */
  line_minutes: Minutes,
  peak_calls: Count,
  peak_at: Schema.NullOr(Timestamp),
  /** Contacts with whom the agent talked. */
  reached: Schema.Struct({
    people: Count,
    /** Number of contacts reached by their first call, their second call, and so on. */
    by_call: Schema.Array(Count)
  }),
  never_reached: Schema.Struct({
    people: Count,
    causes: Schema.Array(NeverReachedCause),
    examples: Schema.Array(NeverReachedExample)
  }),
  calls_per_hour: Schema.Array(HourRecord),
  /** Number of later hours with calls that are not listed. */
  hours_left_out: Count,
  hours_of_day: Schema.Array(HourOfDayRecord),
  windows: Schema.Array(WindowRecord),
  windows_left_out: Count,
  cost: Schema.NullOr(CostRecord),
  /** Null when it was not searched for. */
  lowest_rate_that_finishes: Schema.NullOr(LowestRate),
  lines_needed: LinesNeeded,
  /** Number of lines of the log, and its SHA-256 in hex. */
  log: Schema.Struct({ lines: Count, sha256: Schema.String })
}).annotations({ identifier: "RehearsalReport" })
export type RehearsalReport = typeof RehearsalReport.Type
