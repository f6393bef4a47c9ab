import { issueType } from "@trunkline/errors"
import { Schema } from "effect"
import { DEFAULT_TIME_ZONE, TimeZone, zonePeriod } from "./TimeZone.js"

/** A time of day by the 24-hour clock, `00:00` to `23:59` (shapes 0.2). */
export const TimeOfDay = Schema.String.pipe(
  Schema.pattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { message: () => "Must be a time of day such as 09:30" })
)
export type TimeOfDay = typeof TimeOfDay.Type

/** The days of the week, in the order of `DayName`. */
export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

/** A day of the week by its full English name, `Monday` to `Sunday` (shapes 0.2). */
export const DayName = Schema.Literal(...dayNames)
export type DayName = typeof DayName.Type

/** One to seven different days of the week. */
export const Days = Schema.Array(DayName).pipe(
  Schema.minItems(1),
  Schema.maxItems(dayNames.length),
  Schema.filter((days) => new Set(days).size === days.length, {
    message: () => "Must not name a day twice",
    ...issueType("value_error")
  })
)

/**
 * Hours of the week during which calls are allowed (shapes 2.1 and 3.4): from `start` up to but not including `end`,
 * as the clocks of `timezone` read, on `days`. An `end` earlier than `start` is on the next day; such a window belongs
 * to the day it starts on.
 *
 * Only the reading of the clock counts. When clocks go forward, the skipped part of a window does not happen, and a
 * start inside the gap means the moment after it. When clocks go back, hours that are read twice are open both times.
 */
export const WeeklyWindow = Schema.Struct({
  start: TimeOfDay,
  end: TimeOfDay,
  days: Days,
  timezone: Schema.optionalWith(TimeZone, { default: () => DEFAULT_TIME_ZONE })
}).pipe(
  Schema.filter(({ end, start }) => start !== end, {
    message: () => "Must start and end at different times",
    ...issueType("value_error")
  })
)
export type WeeklyWindow = typeof WeeklyWindow.Type

const minute = 60_000
const day = 24 * 60 * minute
/** 1970-01-01 was a Thursday. */
const epochDay = dayNames.indexOf("Thursday")
/** More than two weeks of starts, ends and midnights: enough for any window that is not always open or shut. */
const maxSteps = 100

interface Compiled {
  readonly start: number
  readonly end: number
  /** By the number of the day, Monday first. */
  readonly open: ReadonlyArray<boolean>
}

const compiledWindows = new WeakMap<WeeklyWindow, Compiled>()

const compile = (window: WeeklyWindow): Compiled => {
  const known = compiledWindows.get(window)
  if (known !== undefined) return known
  const compiled = {
    start: sinceMidnight(window.start),
    end: sinceMidnight(window.end),
    open: dayNames.map((name) => window.days.includes(name))
  }
  compiledWindows.set(window, compiled)
  return compiled
}

const sinceMidnight = (time: TimeOfDay) => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minute

const isOpenAtReading = ({ end, open, start }: Compiled, reading: number): boolean => {
  const dayNumber = Math.floor(reading / day)
  const time = reading - dayNumber * day
  const isOn = (number: number) => open[(((number + epochDay) % 7) + 7) % 7] === true
  return start < end
    ? time >= start && time < end && isOn(dayNumber)
    : (time >= start && isOn(dayNumber)) || (time < end && isOn(dayNumber - 1))
}

/** The reading of the next start or end of a window, whatever the day. */
const nextBoundary = ({ end, start }: Compiled, reading: number): number => {
  const midnight = Math.floor(reading / day) * day
  const time = reading - midnight
  const [first, second] = start < end ? [start, end] : [end, start]
  return midnight + (time < first ? first : time < second ? second : first + day)
}

/** The first moment from `at` on at which the window is open, or shut; infinity when there is none. */
const firstWhen = (open: boolean, window: WeeklyWindow, at: number): number => {
  const compiled = compile(window)
  for (let moment = at, step = 0; step < maxSteps; step++) {
    const { offset, until } = zonePeriod(window.timezone, moment)
    if (isOpenAtReading(compiled, moment + offset) === open) return moment
    moment = Math.min(nextBoundary(compiled, moment + offset) - offset, until)
  }
  return Number.POSITIVE_INFINITY
}

/** Whether the window is open at a moment, in milliseconds since 1970. */
export const isOpen = (window: WeeklyWindow, at: number): boolean =>
  isOpenAtReading(compile(window), at + zonePeriod(window.timezone, at).offset)

/** The first moment from `at` on at which the window is open, which is `at` itself while it is. */
export const nextOpening = (window: WeeklyWindow, at: number): number => firstWhen(true, window, at)

/** The end of the opening that `at` is in: the first moment from `at` on at which the window is shut. */
export const closesAt = (window: WeeklyWindow, at: number): number => firstWhen(false, window, at)
