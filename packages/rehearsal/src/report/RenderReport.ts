import { type TimeZone, zonePeriod } from "@trunkline/kernel"
import { DateTime } from "effect"
import type { RehearsalReport } from "./RehearsalReport.js"
import { bars, type Cells, so, table, whole } from "./Text.js"

/** Rows of long tables that are written. */
const hoursShown = 48
const windowsShown = 14
const causesShown = 8

const reasonTexts: Readonly<Record<string, string>> = {
  done: "done with by this call",
  retries_exhausted: "no further call by the retry policy",
  past_end: "the next call would be after the end",
  campaign_ended: "still waiting at the end",
  outcome_unknown: "nobody knows whether the call was made",
  blocked_number: "on the do-not-call list"
}

const say = (name: string): string => name.replaceAll("_", " ")

const days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

/** A moment on the clocks of a zone: `Sat 2026-01-31 09:00:00`. */
const local = (at: DateTime.Utc | null, timezone: TimeZone): string => {
  if (at === null) return "never"
  const reading = at.epochMillis + zonePeriod(timezone, at.epochMillis).offset
  const text = DateTime.formatIso(DateTime.unsafeMake(reading)).slice(0, 19).replace("T", " ")
  return `${days[Math.floor(reading / 86_400_000) % days.length] ?? ""} ${text}`
}

const share = (part: number, all: number): string => all === 0 ? "0 %" : `${(100 * part / all).toFixed(1)} %`

const heading = (report: RehearsalReport): ReadonlyArray<string> => {
  const { attempts_per_second, finished, max_concurrent_calls, people, people_left, seed, timezone } = report
  const result = finished
    ? `Finished: everybody has been dealt with. The last call is over at ${local(report.last_call_over_at, timezone)}.`
    : `NOT finished: ${whole(people_left)} of ${whole(people)} people still wait for a call when the campaign ends.`
  return [
    `Rehearsal of a campaign with ${whole(people)} people (seed ${seed})`,
    "",
    result,
    "",
    `Pace             ${attempts_per_second} dials a second, at most ${
      whole(max_concurrent_calls)
    } calls at once in the workspace`,
    `From             ${local(report.start_timestamp, timezone)} (times are those of ${timezone})`,
    `Until            ${local(report.end_timestamp, timezone)}`,
    ...(report.duplicates > 0 ? [`Left out         ${whole(report.duplicates)} numbers that were there twice`] : [])
  ]
}

const calls = (report: RehearsalReport): ReadonlyArray<string> => {
  const { cost, dials, lines_needed, peak_at, peak_calls, timezone } = report
  return [
    `Dials            ${whole(dials)} (${(report.people === 0 ? 0 : dials / report.people).toFixed(2)} per person)`,
    `Talked           ${whole(report.talk_minutes)} minutes; lines were taken for ${
      whole(report.line_minutes)
    } minutes`,
    ...(cost === null ? [] : [
      `Cost             ${cost.currency} ${whole(cost.from)}${cost.to > cost.from ? ` to ${whole(cost.to)}` : ""} for ${
        whole(cost.billed_minutes)
      } billed minutes`
    ]),
    `Most at once     ${whole(peak_calls)} calls, at ${local(peak_at, timezone)}`,
    `No line free     ${whole(lines_needed.waited_minutes)} minutes while somebody was due`
  ]
}

const advice = (report: RehearsalReport): ReadonlyArray<string> => {
  const { lines_needed, lowest_rate_that_finishes: lowest } = report
  const goal = lowest?.goal === "nobody_waiting"
    ? "calls everybody (some retries are lost to the end at any rate)"
    : "finishes in time"
  const tried = lowest === null
    ? ""
    : ` (tried ${so(lowest.runs, "time")}${
      lowest.people_tried < report.people + report.duplicates
        ? ` with ${whole(lowest.people_tried)} people, scaled down`
        : ""
    }${lowest.lines === null ? ", lines not counted" : ""})`
  return [
    ...(lowest === null
      ? []
      : [
        lowest.attempts_per_second === null
          ? `Lowest rate      none: even 500 dials a second are too slow${tried}`
          : `Lowest rate      ${lowest.attempts_per_second} dials a second ${goal}${tried}`
      ]),
    `Lines            ${whole(lines_needed.for_the_rate)} keep up ${report.attempts_per_second} dials a second${
      lines_needed.to_finish === null
        ? ""
        : `; with fewer than ${whole(lines_needed.to_finish)} there is not enough time`
    }`
  ]
}

const reached = ({ people, reached: { by_call, people: found } }: RehearsalReport): ReadonlyArray<string> => [
  `Reached: ${whole(found)} of ${whole(people)} people (${share(found, people)})`,
  ...bars(by_call.map((count, index): Cells => [`call ${index + 1}`, count, share(count, people)]))
]

const neverReached = ({ never_reached: { causes, examples, people } }: RehearsalReport): ReadonlyArray<string> =>
  people === 0 ? [] : [
    "",
    `Never reached: ${whole(people)} people`,
    ...table(
      causes.slice(0, causesShown).map(({ last_outcome, people: count, reason }) => [
        whole(count),
        reasonTexts[reason] ?? say(reason),
        last_outcome === null ? "never called" : `last call: ${say(last_outcome)}`
      ])
    ),
    ...(causes.length > causesShown ? [`  and ${so(causes.length - causesShown, "more cause")}`] : []),
    `  for instance ${
      examples.slice(0, 3).map(({ calls: count, person }) => `person ${person} (${so(count, "call")})`).join(", ")
    }`
  ]

const windows = ({ timezone, windows: all, windows_left_out }: RehearsalReport): ReadonlyArray<string> => [
  `Windows used: ${whole(all.length + windows_left_out)}`,
  ...table([
    ["first dial", "last dial", "dials", "answered"],
    ...all.slice(0, windowsShown).map((window) => [
      local(window.first_dial_at, timezone),
      local(window.last_dial_at, timezone),
      whole(window.dials),
      whole(window.answers)
    ])
  ]),
  ...(all.length + windows_left_out > windowsShown
    ? [`  and ${whole(all.length + windows_left_out - windowsShown)} more`]
    : [])
]

const hours = ({ calls_per_hour, hours_left_out }: RehearsalReport): ReadonlyArray<string> => [
  "Calls by hour (dials, of which answered)",
  ...bars(
    calls_per_hour.slice(0, hoursShown).map(({ answers, dials, hour }): Cells => [hour, dials, share(answers, dials)])
  ),
  ...(calls_per_hour.length + hours_left_out > hoursShown
    ? [`  and ${whole(calls_per_hour.length + hours_left_out - hoursShown)} more hours`]
    : [])
]

const hoursOfDay = ({ hours_of_day }: RehearsalReport): ReadonlyArray<string> => [
  "Calls by hour of the day, all days together",
  ...bars(hours_of_day.map(({ answers, dials, hour }): Cells => [
    `${String(hour).padStart(2, "0")}:00`,
    dials,
    share(answers, dials)
  ]))
]

/** A report for people to read: plain text, lines of at most about 100 characters, ending with a line break. */
export const renderReport = (report: RehearsalReport): string =>
  [
    ...heading(report),
    "",
    ...calls(report),
    "",
    ...advice(report),
    "",
    "Outcomes of calls",
    ...bars(
      report.outcomes.map(({ calls: count, outcome }): Cells => [say(outcome), count, share(count, report.dials)])
    ),
    "",
    ...reached(report),
    ...neverReached(report),
    "",
    ...windows(report),
    "",
    ...(report.calls_per_hour.length > 1 ? [...hours(report), ""] : []),
    ...(report.windows.length > 1 ? [...hoursOfDay(report), ""] : []),
    `Log: ${whole(report.log.lines)} lines, SHA-256 ${report.log.sha256}`,
    ""
  ].join("\n")
