import { defaultTimeZone, zonePeriod } from "@trunkline/kernel"
import { DateTime, Option } from "effect"
import type { TimeUnit, Value } from "./Chart.js"

const dayMillis = 86_400_000

/** A local wall-clock time: milliseconds since 1970 as if the clock showed UTC. */
interface WallTime {
  readonly at: number
  readonly unit: TimeUnit
}

const month = /^\d{4}-\d{2}$/
const date = /^\d{4}-\d{2}-\d{2}$/
const clock = /^[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:Z|([+-]\d{2}):?(\d{2}))?$/i

/** Accepted years; others are more likely numbers or mistakes, and would stretch the axis. */
const years = /^(?:19|20|21)\d\d/

/** Midnight of a day, or null for a day that does not exist. */
const parseMidnight = (text: string): number | null => {
  const time = years.test(text) && date.test(text) ? Option.getOrNull(DateTime.make(`${text}T00:00Z`)) : null
  return time !== null && DateTime.formatIso(time).startsWith(text) ? time.epochMillis : null
}

/** Converts a moment to the wall-clock time in India. */
const toIndianTime = (at: number): number => at + zonePeriod(defaultTimeZone, at).offset

/** Parses the time part of a text into wall-clock time; a time with a zone is converted to Indian time. */
const parseClockTime = (text: string, midnight: number): number | null => {
  const [match, hours = "", minutes = "", seconds = "0", ahead, aheadMinutes = ""] = clock.exec(text) ?? []
  if (match === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) >= 60) return null
  const at = midnight + Math.floor((Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000)
  if (ahead !== undefined) {
    const offset = Number(ahead) * 60 + (ahead.startsWith("-") ? -1 : 1) * Number(aheadMinutes)
    return toIndianTime(at - offset * 60_000)
  }
  return /Z$/i.test(match) ? toIndianTime(at) : at
}

type Midnights = Map<string, number | null>

const cachedMidnight = (midnights: Midnights, text: string): number | null => {
  const entry = midnights.get(text)
  if (entry !== undefined) return entry
  const midnight = parseMidnight(text)
  midnights.set(text, midnight)
  return midnight
}

const parseWallTime = (value: Value, midnights: Midnights): WallTime | null => {
  if (typeof value !== "string" || value.length > 40) return null
  const text = value.trim()
  const isMonth = month.test(text)
  const midnight = cachedMidnight(midnights, isMonth ? `${text}-01` : text.slice(0, 10))
  if (midnight === null) return null
  if (isMonth || text.length === 10) return { at: midnight, unit: isMonth ? "month" : "day" }
  const at = parseClockTime(text.slice(10), midnight)
  return at === null ? null : { at, unit: "minute" }
}

/** Times of a column, all of one unit. */
interface Times {
  readonly at: ReadonlyArray<number>
  readonly unit: TimeUnit
}

/**
 * Parses a column that holds nothing but times from 1900 to 2199: months (`2026-01`), days (`2026-01-31`), or moments
 * in ISO 8601. Moments with a zone are converted to Indian Standard Time, others are taken as written. Returns null
 * when any value is something else. Moments that all fall on midnight count as days.
 */
export const parseTimes = (values: ReadonlyArray<Value>): Times | null => {
  const times: Array<WallTime> = []
  const midnights: Midnights = new Map()
  for (const value of values) {
    const time = parseWallTime(value, midnights)
    if (time === null) return null
    times.push(time)
  }
  const [first] = times
  if (first === undefined) return null
  const at = times.map((time) => time.at)
  if (times.every(({ unit }) => unit === first.unit) && first.unit !== "minute") return { at, unit: first.unit }
  return { at, unit: at.every((each) => each % dayMillis === 0) ? "day" : "minute" }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const padTwo = (number: number): string => String(number).padStart(2, "0")

/**
 * Formats a wall-clock time: `Jan 2026`, `31 Jan 2026` or `31 Jan 2026, 17:30`, with the year of days and minutes only
 * on request.
 */
export const formatTime = (at: number, unit: TimeUnit, withYear: boolean): string => {
  const { day, hours, minutes, month, year } = DateTime.toPartsUtc(DateTime.unsafeMake(at))
  const name = months[month - 1] ?? ""
  if (unit === "month") return `${name} ${year}`
  const date = withYear ? `${day} ${name} ${year}` : `${day} ${name}`
  return unit === "day" ? date : `${date}, ${padTwo(hours)}:${padTwo(minutes)}`
}

const yearOf = (at: number): number => DateTime.toPartsUtc(DateTime.unsafeMake(at)).year

/** Formats times, with the year when they span several. */
export const formatTimes = ({ at, unit }: Times): ReadonlyArray<string> => {
  const withYear = new Set(at.map(yearOf)).size > 1
  return at.map((each) => formatTime(each, unit, withYear))
}
