import { issueType } from "@trunkline/errors"
import { Schema } from "effect"
import { defaultTimeZone, TimeZone, zonePeriod } from "./TimeZone.js"

/** A time of day by the 24-hour clock, `00:00` to `23:59`. */
export const TimeOfDay = Schema.String.pipe(
  Schema.pattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { message: () => "Must be a time of day such as 09:30" })
)
export type TimeOfDay = typeof TimeOfDay.Type

/** The time of day at which hours end: `00:00` to `24:00`, the end of the day. Hours from `00:00` to `24:00` last all day. */
export const EndTimeOfDay = Schema.String.pipe(
  Schema.pattern(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, {
    message: () => "Must be a time of day such as 18:30, or 24:00 for the end of the day"
  })
)
export type EndTimeOfDay = typeof EndTimeOfDay.Type

/** Days of the week, Monday first. */
export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const

/** A day of the week by its full English name, `Monday` to `Sunday`. */
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
 * Weekly hours during which calls are allowed: on `days`, from `start` up to but not including `end`, in local time of
 * `timezone`. An `end` earlier than `start` is on the next day; such a window belongs to the day on which it starts. A window
 * from `00:00` to `24:00` on every day never closes.
 *
 * Only local time counts. When clocks go forward, the skipped part of a window does not occur, and a start inside the
 * gap means the moment after it. When clocks go back, the repeated hours are open both times.
 */
export const WeeklyWindow = Schema.Struct({
  start: TimeOfDay,
  end: EndTimeOfDay,
  days: Days,
  timezone: Schema.optionalWith(TimeZone, { default: () => defaultTimeZone })
}).pipe(
  Schema.filter(({ end, start }) => start !== end, {
    message: () => "Must start and end at different times; 00:00 to 24:00 is all day",
    ...issueType("value_error")
  })
)
export type WeeklyWindow = typeof WeeklyWindow.Type

const minute = 60_000
const day = 24 * 60 * minute
/** 1970-01-01 was a Thursday. */
const epochDay = dayNames.indexOf("Thursday")
/** More than two weeks of starts, ends and midnights, enough for any window that is neither always open nor always closed. */
const maxSteps = 100

interface Compiled {
  readonly start: number
  readonly end: number
  /** True for days with a window, Monday first. */
  readonly open: ReadonlyArray<boolean>
}

const compiledWindows = new WeakMap<WeeklyWindow, Compiled>()

const compile = (window: WeeklyWindow): Compiled => {
  const cachedWindow = compiledWindows.get(window)
  if (cachedWindow !== undefined) return cachedWindow
  const hours = {
    start: sinceMidnight(window.start),
    end: sinceMidnight(window.end),
    open: dayNames.map((name) => window.days.includes(name))
  }
  compiledWindows.set(window, hours)
  return hours
}

const sinceMidnight = (time: EndTimeOfDay) => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minute

const isOpenAtLocal = ({ end, open, start }: Compiled, local: number): boolean => {
  const dayNumber = Math.floor(local / day)
  const time = local - dayNumber * day
  const isOn = (number: number) => open[(((number + epochDay) % 7) + 7) % 7] === true
  return start < end
    ? time >= start && time < end && isOn(dayNumber)
    : (time >= start && isOn(dayNumber)) || (time < end && isOn(dayNumber - 1))
}

/** Local time of the next start or end of a window, on any day. */
const nextBoundary = ({ end, start }: Compiled, local: number): number => {
  const midnight = Math.floor(local / day) * day
  const time = local - midnight
  const [first, second] = start < end ? [start, end] : [end, start]
  return midnight + (time < first ? first : time < second ? second : first + day)
}

/** The first moment from `at` on at which the window is open, or closed; infinity if there is none. */
const firstWhen = (open: boolean, window: WeeklyWindow, at: number): number => {
  const hours = compile(window)
  for (let moment = at, step = 0; step < maxSteps; step++) {
    const { offset, until } = zonePeriod(window.timezone, moment)
    if (isOpenAtLocal(hours, moment + offset) === open) return moment
    moment = Math.min(nextBoundary(hours, moment + offset) - offset, until)
  }
  return Number.POSITIVE_INFINITY
}

/** True if the window is open at a moment, in milliseconds since 1970. */
export const isOpen = (window: WeeklyWindow, at: number): boolean =>
  isOpenAtLocal(compile(window), at + zonePeriod(window.timezone, at).offset)

/** The first moment from `at` on at which the window is open; `at` itself if it is open then. */
export const nextOpening = (window: WeeklyWindow, at: number): number => firstWhen(true, window, at)

/** The moment at which a window that is open at `at` has opened, within the last week; a week ago for one that never closed. */
export const lastOpening = (window: WeeklyWindow, at: number): number => {
  let opening = nextOpening(window, at - 7 * day)
  for (let step = 0; step < maxSteps; step++) {
    const closing = nextClosing(window, opening)
    const next = closing <= at ? nextOpening(window, closing) : Number.POSITIVE_INFINITY
    if (next > at) return opening
    opening = next
  }
  return opening
}

/** The first moment from `at` on at which the window is closed; `at` itself if it is closed then. */
export const nextClosing = (window: WeeklyWindow, at: number): number => firstWhen(false, window, at)
