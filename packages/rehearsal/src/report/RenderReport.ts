import { type TimeZone, zonePeriod } from "@trunkline/kernel"
import { DateTime } from "effect"
import type { RehearsalReport } from "./RehearsalReport.js"

/** Rounds a number and separates its thousands by commas. */
export const formatInteger = (value: number): string =>
  Math.round(value).toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ",")

/** A number with its noun: `1 call`, `2,000 calls`. */
const formatCount = (count: number, thing: string): string =>
  `${formatInteger(count)} ${thing}${count === 1 ? "" : "s"}`

/** Aligns the columns of a table: columns of numbers to the right, others to the left. */
export const formatTable = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? "")) ?? []
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)))
  const numeric = columns.map((cells) =>
    cells.filter((cell) => !/^[\d,.]+$/.test(cell)).length <= 1 && cells.length > 1
  )
  return rows.map((row) =>
    `  ${
      row.map((cell, column) =>
        numeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      ).join("  ")
    }`.trimEnd()
  )
}

/** A bar of a chart: its label, value and note. */
export type Bar = readonly [label: string, value: number, note: string]

const maxBarWidth = 40

/** Renders a bar chart. The longest bar has 40 characters; every value above 0 has at least one. */
export const formatBars = (rows: ReadonlyArray<Bar>): ReadonlyArray<string> => {
  const max = Math.max(1, ...rows.map(([, value]) => value))
  const labels = Math.max(0, ...rows.map(([label]) => label.length))
  const numbers = Math.max(0, ...rows.map(([, value]) => formatInteger(value).length))
  const notes = Math.max(0, ...rows.map(([, , note]) => note.length))
  return rows.map(([label, value, note]) => {
    const bar = "#".repeat(value === 0 ? 0 : Math.max(1, Math.round(maxBarWidth * value / max)))
    return `  ${label.padEnd(labels)}  ${formatInteger(value).padStart(numbers)}  ${note.padStart(notes)}  ${bar}`
      .trimEnd()
  })
}

/** Maximum number of rows of long tables. */
const hoursShown = 48
const windowsShown = 14
const causesShown = 8

const reasonTexts: Readonly<Record<string, string>> = {
  done: "done with by this call",
  retries_exhausted: "no further call by the retry policy",
  past_end: "the next call would be after the end",
  campaign_ended: "still waiting at the end",
  outcome_unknown: "unknown if the call was made",
  blocked_number: "on the do-not-call list"
}

const say = (name: string): string => name.replaceAll("_", " ")

const days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

/** A local time in a zone: `Sat 2026-01-31 09:00:00`. */
const local = (at: DateTime.Utc | null, timezone: TimeZone): string => {
  if (at === null) return "never"
  const reading = at.epochMillis + zonePeriod(timezone, at.epochMillis).offset
  const text = DateTime.formatIso(DateTime.unsafeMake(reading)).slice(0, 19).replace("T", " ")
  return `${days[Math.floor(reading / 86_400_000) % days.length] ?? ""} ${text}`
}

const share = (part: number, total: number): string => total === 0 ? "0 %" : `${(100 * part / total).toFixed(1)} %`

const heading = (report: RehearsalReport): ReadonlyArray<string> => {
  const { attempts_per_second, finished, max_concurrent_calls, people, people_left, seed, timezone } = report
  const result = finished
    ? `Finished: all contacts are done. The last call ends at ${local(report.last_call_over_at, timezone)}.`
    : `NOT finished: ${formatInteger(people_left)} of ${
      formatInteger(people)
    } people still wait for a call when the campaign ends.`
  return [
    `Rehearsal of a campaign with ${formatInteger(people)} people (seed ${seed})`,
    "",
    result,
    "",
    `Pace             ${attempts_per_second} dials a second, at most ${
      formatInteger(max_concurrent_calls)
    } calls at once in the workspace`,
    `From             ${local(report.start_timestamp, timezone)} (times are those of ${timezone})`,
    `Until            ${local(report.end_timestamp, timezone)}`,
    ...(report.duplicates > 0
      ? [`Left out         ${formatInteger(report.duplicates)} numbers that were there twice`]
      : [])
  ]
}

const calls = (report: RehearsalReport): ReadonlyArray<string> => {
  const { cost, dials, lines_needed, peak_at, peak_calls, timezone } = report
  return [
    `Dials            ${formatInteger(dials)} (${
      (report.people === 0 ? 0 : dials / report.people).toFixed(2)
    } per person)`,
    `Talked           ${formatInteger(report.talk_minutes)} minutes; lines were taken for ${
      formatInteger(report.line_minutes)
    } minutes`,
    ...(cost === null ? [] : [
      `Cost             ${cost.currency} ${formatInteger(cost.from)}${
        cost.to > cost.from ? ` to ${formatInteger(cost.to)}` : ""
      } for ${formatInteger(cost.billed_minutes)} billed minutes`
    ]),
    `Most at once     ${formatInteger(peak_calls)} calls, at ${local(peak_at, timezone)}`,
    `No line free     ${formatInteger(lines_needed.waited_minutes)} minutes while a contact was due`
  ]
}

const advice = (report: RehearsalReport): ReadonlyArray<string> => {
  const { lines_needed, lowest_rate_that_finishes: lowest } = report
  const goal = lowest?.goal === "nobody_waiting"
    ? "calls every contact (some retries are lost to the end at any rate)"
    : "finishes in time"
  const attempts = lowest === null
    ? ""
    : ` (tried ${formatCount(lowest.runs, "time")}${
      lowest.people_tried < report.people + report.duplicates
        ? ` with ${formatInteger(lowest.people_tried)} people, scaled down`
        : ""
    }${lowest.lines === null ? ", lines not counted" : ""})`
  return [
    ...(lowest === null
      ? []
      : [
        lowest.attempts_per_second === null
          ? `Lowest rate      none: even 500 dials a second are too slow${attempts}`
          : `Lowest rate      ${lowest.attempts_per_second} dials a second ${goal}${attempts}`
      ]),
    `Lines            ${formatInteger(lines_needed.for_the_rate)} keep up ${report.attempts_per_second} dials a second${
      lines_needed.to_finish === null
        ? ""
        : `; with fewer than ${formatInteger(lines_needed.to_finish)} there is not enough time`
    }`
  ]
}

const reachLines = (
  { people, reached: { by_call, people: reachedPeople } }: RehearsalReport
): ReadonlyArray<string> => [
  `Reached: ${formatInteger(reachedPeople)} of ${formatInteger(people)} people (${share(reachedPeople, people)})`,
  ...formatBars(by_call.map((count, index): Bar => [`call ${index + 1}`, count, share(count, people)]))
]

const neverReached = ({ never_reached: { causes, examples, people } }: RehearsalReport): ReadonlyArray<string> =>
  people === 0 ? [] : [
    "",
    `Never reached: ${formatInteger(people)} people`,
    ...formatTable(
      causes.slice(0, causesShown).map(({ last_outcome, people: count, reason }) => [
        formatInteger(count),
        reasonTexts[reason] ?? say(reason),
        last_outcome === null ? "never called" : `last call: ${say(last_outcome)}`
      ])
    ),
    ...(causes.length > causesShown ? [`  and ${formatCount(causes.length - causesShown, "more cause")}`] : []),
    `  for instance ${
      examples.slice(0, 3).map(({ calls: count, person }) => `person ${person} (${formatCount(count, "call")})`).join(
        ", "
      )
    }`
  ]

const windows = ({ timezone, windows: allWindows, windows_left_out }: RehearsalReport): ReadonlyArray<string> => [
  `Windows used: ${formatInteger(allWindows.length + windows_left_out)}`,
  ...formatTable([
    ["first dial", "last dial", "dials", "answered"],
    ...allWindows.slice(0, windowsShown).map((window) => [
      local(window.first_dial_at, timezone),
      local(window.last_dial_at, timezone),
      formatInteger(window.dials),
      formatInteger(window.answers)
    ])
  ]),
  ...(allWindows.length + windows_left_out > windowsShown
    ? [`  and ${formatInteger(allWindows.length + windows_left_out - windowsShown)} more`]
    : [])
]

const hours = ({ calls_per_hour, hours_left_out }: RehearsalReport): ReadonlyArray<string> => [
  "Calls by hour (dials, of which answered)",
  ...formatBars(
    calls_per_hour.slice(0, hoursShown).map(({ answers, dials, hour }): Bar => [hour, dials, share(answers, dials)])
  ),
  ...(calls_per_hour.length + hours_left_out > hoursShown
    ? [`  and ${formatInteger(calls_per_hour.length + hours_left_out - hoursShown)} more hours`]
    : [])
]

const hoursOfDay = ({ hours_of_day }: RehearsalReport): ReadonlyArray<string> => [
  "Calls by hour of the day, all days together",
  ...formatBars(hours_of_day.map(({ answers, dials, hour }): Bar => [
    `${String(hour).padStart(2, "0")}:00`,
    dials,
    share(answers, dials)
  ]))
]

/** Renders a report as plain text, in lines of up to about 100 characters, with a final line break. */
export const renderReport = (report: RehearsalReport): string =>
  [
    ...heading(report),
    "",
    ...calls(report),
    "",
    ...advice(report),
    "",
    "Outcomes of calls",
    ...formatBars(
      report.outcomes.map(({ calls: count, outcome }): Bar => [say(outcome), count, share(count, report.dials)])
    ),
    "",
    ...reachLines(report),
    ...neverReached(report),
    "",
    ...windows(report),
    "",
    ...(report.calls_per_hour.length > 1 ? [...hours(report), ""] : []),
    ...(report.windows.length > 1 ? [...hoursOfDay(report), ""] : []),
    `Log: ${formatInteger(report.log.lines)} lines, SHA-256 ${report.log.sha256}`,
    ""
  ].join("\n")
