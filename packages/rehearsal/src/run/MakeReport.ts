import { dialWindow } from "@trunkline/campaigns"
import { isOpen, nextClosing, nextOpening, type WeeklyWindow } from "@trunkline/kernel"
import { defaultInboundShare } from "@trunkline/telephony"
import { DateTime, Schema } from "effect"
import { outcomes, type RehearsalReport } from "../report/RehearsalReport.js"
import type { HourTally, Tally } from "../report/Tally.js"
import type { RehearsalRun, RehearsalRunResult } from "./RehearsalRun.js"

const Price = Schema.NonNegative

const LowestAndHighest = Schema.Tuple(Price, Price).pipe(
  Schema.filter(([lowest, highest]) => lowest <= highest, {
    message: () => "The lowest price comes first: [lowest, highest]"
  })
)

/** Prices of connected calls; without them a report has no cost. Unknown keys are rejected. */
export const Prices = Schema.Struct({
  /** Currency code, such as `INR`; only repeated in the report. */
  currency: Schema.NonEmptyTrimmedString,
  /** Price per minute, or the lowest and the highest price. */
  per_minute: Schema.Union(Price, LowestAndHighest),
  /** Billing increment in seconds; default 60. */
  pulse_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 3_600)), { default: () => 60 })
}).annotations({ parseOptions: { onExcessProperty: "error" } })
export type Prices = typeof Prices.Type

/** The cost of calls, given the number of calls by length in whole seconds. */
const costOf = (lengths: ReadonlyMap<number, number>, { currency, per_minute, pulse_seconds }: Prices) => {
  const [low, high] = typeof per_minute === "number" ? [per_minute, per_minute] : per_minute
  let seconds = 0
  for (const [length, calls] of lengths) seconds += Math.ceil(length / pulse_seconds) * pulse_seconds * calls
  const minutes = seconds / 60
  const money = (price: number) => Math.round(minutes * price * 100) / 100
  return {
    currency,
    from: money(Math.min(low, high)),
    to: money(Math.max(low, high)),
    billed_minutes: Math.round(minutes * 10) / 10
  }
}

const hour = 3_600_000

/** Maximum number of hours and windows of a report: a hundred days of eight hours, and almost three years of windows. */
const maxHours = 800
const maxWindows = 1_000

const minutes = (millis: number): number => Math.round(millis / 6_000) / 10

const date = (at: number) => DateTime.unsafeMake(at)

/** The text of a local hour: `2026-01-31 09:00`. */
const readingText = (reading: number): string => DateTime.formatIso(date(reading * hour)).slice(0, 16).replace("T", " ")

const hourRecord = ([reading, { answers, dials, peak, talk }]: readonly [number, HourTally]) => ({
  hour: readingText(reading),
  dials,
  answers,
  talk_minutes: minutes(talk),
  peak_calls: peak
})

const hoursOfDay = (hours: ReadonlyMap<number, HourTally>) => {
  const hourRows = Array.from({ length: 24 }, (_, hourOfDay) => ({ hour: hourOfDay, dials: 0, answers: 0 }))
  for (const [reading, { answers, dials }] of hours) {
    const record = hourRows[((reading % 24) + 24) % 24]
    if (record === undefined) continue
    record.dials += dials
    record.answers += answers
  }
  return hourRows.filter(({ dials }) => dials > 0)
}

/** Time during which a window is open between two moments, in milliseconds. */
export const openTime = (window: WeeklyWindow, from: number, until: number): number => {
  let open = 0
  for (let at = from; at < until;) {
    const opens = isOpen(window, at) ? at : nextOpening(window, at)
    const closes = Math.min(nextClosing(window, opens), until)
    open += Math.max(0, closes - opens)
    at = closes
  }
  return open
}

/** Lines of a workspace that leave this many for its campaigns, next to the share reserved for inbound calls. */
const linesFor = (calls: number): number => Math.ceil(calls / (1 - defaultInboundShare))

const linesNeeded = (play: RehearsalRun, { summary, over_at, tally, unread }: RehearsalRunResult) => {
  const { campaign } = play
  const people = summary.enrolled + unread
  const perCall = tally.dials === 0 ? 0 : tally.sums.line / tally.dials
  const load = campaign.app_config.attempts_per_second * perCall / 1_000
  const dealtWith = summary.enrolled - summary.waiting
  const work = dealtWith === 0 ? 0 : tally.sums.line * people / dealtWith
  const from = Math.max(play.now, campaign.start_timestamp.epochMillis)
  const open = openTime(dialWindow(campaign.allowed_schedule), from, campaign.end_timestamp.epochMillis)
  return {
    for_the_rate: linesFor(load + 2 * Math.sqrt(load)),
    to_finish: open === 0 ? null : Math.max(1, linesFor(work / open)),
    waited_minutes: minutes(tally.waited(over_at))
  }
}

const byCall = (tally: Tally, people: number): ReadonlyArray<number> => {
  const persons: Array<number> = []
  for (let person = 1; person <= people; person += 1) {
    const call = tally.reachedBy.get(person)
    if (call === 0) continue
    while (persons.length < call) persons.push(0)
    persons[call - 1] = (persons[call - 1] ?? 0) + 1
  }
  return persons
}

/** The report of a run, without the lowest rate, which takes other runs. */
export const makeReport = (
  play: RehearsalRun,
  playedResult: RehearsalRunResult,
  prices: Prices | null
): Omit<RehearsalReport, "lowest_rate_that_finishes"> => {
  const { campaign } = play
  const { journal, summary, read, tally, unread } = playedResult
  const people = summary.enrolled + unread
  const by_call = byCall(tally, read)
  const reach = by_call.reduce((sum, count) => sum + count, 0)
  const hours = [...tally.hours].sort(([a], [b]) => a - b)
  const people_left = summary.waiting + unread
  return {
    seed: play.seed,
    timezone: campaign.allowed_schedule.timezone,
    attempts_per_second: campaign.app_config.attempts_per_second,
    max_concurrent_calls: play.maxConcurrentCalls,
    began_at: date(play.now),
    start_timestamp: campaign.start_timestamp,
    end_timestamp: campaign.end_timestamp,
    finished: people_left === 0,
    last_call_over_at: tally.lastEventAt === null ? null : date(tally.lastEventAt),
    people,
    duplicates: read - people,
    people_left,
    dials: tally.dials,
    outcomes: outcomes.flatMap((outcome) => {
      const calls = tally.counts.get(outcome) ?? 0
      return calls === 0 ? [] : [{ outcome, calls }]
    }),
    talk_minutes: minutes(tally.sums.talk),
    line_minutes: minutes(tally.sums.line),
    peak_calls: tally.peak,
    peak_at: tally.peakAt === null ? null : date(tally.peakAt),
    reached: { people: reach, by_call },
    never_reached: {
      people: people - reach,
      causes: [...summary.causes.values()].sort((a, b) => b.people - a.people),
      examples: summary.examples
    },
    calls_per_hour: hours.slice(0, maxHours).map(hourRecord),
    hours_left_out: Math.max(0, hours.length - maxHours),
    hours_of_day: hoursOfDay(tally.hours),
    windows: tally.windows.slice(0, maxWindows).map((
      { answers, closes_at, dials, first_dial_at, last_dial_at }
    ) => ({
      first_dial_at: date(first_dial_at),
      last_dial_at: date(last_dial_at),
      closes_at: date(Math.min(closes_at, campaign.end_timestamp.epochMillis)),
      dials,
      answers
    })),
    windows_left_out: Math.max(0, tally.windows.length - maxWindows),
    cost: prices === null ? null : costOf(tally.lengths, prices),
    lines_needed: linesNeeded(play, playedResult),
    log: journal
  }
}
