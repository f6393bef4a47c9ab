import { dialWindow } from "@trunkline/campaigns"
import { closesAt, isOpen, nextOpening, type WeeklyWindow } from "@trunkline/kernel"
import { DEFAULT_INBOUND_SHARE } from "@trunkline/telephony"
import { DateTime } from "effect"
import type { Play, Played } from "../run/Playthrough.js"
import { outcomes } from "./Outcome.js"
import { costOf, type Prices } from "./Prices.js"
import type { RehearsalReport } from "./RehearsalReport.js"
import type { HourTally, Tally } from "./Tally.js"

const hour = 3_600_000

/** Hours and windows that a report has room for: a hundred days of eight hours, and of three years. */
const hoursAtMost = 800
const windowsAtMost = 1_000

const minutes = (millis: number): number => Math.round(millis / 6_000) / 10

const date = (at: number) => DateTime.unsafeMake(at)

/** An hour of a reading of the clocks: `2026-01-31 09:00`. */
const readingText = (reading: number): string => DateTime.formatIso(date(reading * hour)).slice(0, 16).replace("T", " ")

const hourRecord = ([reading, { answers, dials, peak, talk }]: readonly [number, HourTally]) => ({
  hour: readingText(reading),
  dials,
  answers,
  talk_minutes: minutes(talk),
  peak_calls: peak
})

const hoursOfDay = (hours: ReadonlyMap<number, HourTally>) => {
  const all = Array.from({ length: 24 }, (_, hourOfDay) => ({ hour: hourOfDay, dials: 0, answers: 0 }))
  for (const [reading, { answers, dials }] of hours) {
    const record = all[((reading % 24) + 24) % 24]
    if (record === undefined) continue
    record.dials += dials
    record.answers += answers
  }
  return all.filter(({ dials }) => dials > 0)
}

/** How long a window is open between two moments, in milliseconds. */
export const openTime = (window: WeeklyWindow, from: number, until: number): number => {
  let open = 0
  for (let at = from; at < until;) {
    const opens = isOpen(window, at) ? at : nextOpening(window, at)
    const closes = Math.min(closesAt(window, opens), until)
    open += Math.max(0, closes - opens)
    at = closes
  }
  return open
}

/** Lines of a workspace that leave so many for its campaigns, beside those that are kept for calls that come in. */
const linesFor = (calls: number): number => Math.ceil(calls / (1 - DEFAULT_INBOUND_SHARE))

const linesNeeded = (play: Play, { leftovers, over_at, tally, unread }: Played) => {
  const { campaign } = play
  const people = leftovers.enrolled + unread
  const perCall = tally.dials === 0 ? 0 : tally.sums.line / tally.dials
  const load = campaign.app_config.attempts_per_second * perCall / 1_000
  const dealtWith = leftovers.enrolled - leftovers.waiting
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
  const found: Array<number> = []
  for (let person = 1; person <= people; person += 1) {
    const call = tally.reachedBy.get(person)
    if (call === 0) continue
    while (found.length < call) found.push(0)
    found[call - 1] = (found[call - 1] ?? 0) + 1
  }
  return found
}

/** What a play comes to, without what other plays of it tell. */
export const reportOf = (
  play: Play,
  played: Played,
  prices: Prices | null
): Omit<RehearsalReport, "lowest_rate_that_finishes"> => {
  const { campaign } = play
  const { journal, leftovers, read, tally, unread } = played
  const people = leftovers.enrolled + unread
  const by_call = byCall(tally, read)
  const reached = by_call.reduce((sum, count) => sum + count, 0)
  const hours = [...tally.hours].sort(([a], [b]) => a - b)
  const people_left = leftovers.waiting + unread
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
    reached: { people: reached, by_call },
    never_reached: {
      people: people - reached,
      causes: [...leftovers.causes.values()].sort((a, b) => b.people - a.people),
      examples: leftovers.examples
    },
    calls_per_hour: hours.slice(0, hoursAtMost).map(hourRecord),
    hours_left_out: Math.max(0, hours.length - hoursAtMost),
    hours_of_day: hoursOfDay(tally.hours),
    windows: tally.windows.slice(0, windowsAtMost).map((
      { answers, closes_at, dials, first_dial_at, last_dial_at }
    ) => ({
      first_dial_at: date(first_dial_at),
      last_dial_at: date(last_dial_at),
      closes_at: date(Math.min(closes_at, campaign.end_timestamp.epochMillis)),
      dials,
      answers
    })),
    windows_left_out: Math.max(0, tally.windows.length - windowsAtMost),
    cost: prices === null ? null : costOf(tally.lengths, prices),
    lines_needed: linesNeeded(play, played),
    log: journal
  }
}
