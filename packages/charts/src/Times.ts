import { DEFAULT_TIME_ZONE, zonePeriod } from "@trunkline/kernel"
import { DateTime, Option } from "effect"
import type { TimeUnit } from "./Chart.js"
import type { Value } from "./Picture.js"

const DAY = 86_400_000

/** The clock on the wall at some moment: milliseconds since 1970 as though it showed UTC. */
interface WallTime {
  readonly at: number
  readonly unit: TimeUnit
}

const month = /^\d{4}-\d{2}$/
const date = /^\d{4}-\d{2}-\d{2}$/
const clock = /^[T ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?:Z|([+-]\d{2}):?(\d{2}))?$/i

/** The years in which a time is one; others are numbers or mistakes, and would stretch an axis beyond use. */
const years = /^(?:19|20|21)\d\d/

/** Midnight of a day; null when the month has no such day. */
const midnightOf = (text: string): number | null => {
  const time = years.test(text) && date.test(text) ? Option.getOrNull(DateTime.make(`${text}T00:00Z`)) : null
  return time !== null && DateTime.formatIso(time).startsWith(text) ? time.epochMillis : null
}

/** What the clock of India shows at a moment. */
const inIndia = (at: number): number => at + zonePeriod(DEFAULT_TIME_ZONE, at).offset

/** What the clock on the wall shows, of the part of a text behind its day. */
const momentOf = (text: string, midnight: number): number | null => {
  const [found, hours = "", minutes = "", seconds = "0", ahead, aheadMinutes = ""] = clock.exec(text) ?? []
  if (found === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) >= 60) return null
  const at = midnight + Math.floor((Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000)
  if (ahead !== undefined) {
    const offset = Number(ahead) * 60 + (ahead.startsWith("-") ? -1 : 1) * Number(aheadMinutes)
    return inIndia(at - offset * 60_000)
  }
  return /Z$/i.test(found) ? inIndia(at) : at
}

type Midnights = Map<string, number | null>

const knownMidnight = (known: Midnights, text: string): number | null => {
  const found = known.get(text)
  if (found !== undefined) return found
  const midnight = midnightOf(text)
  known.set(text, midnight)
  return midnight
}

const wallTimeOf = (value: Value, known: Midnights): WallTime | null => {
  if (typeof value !== "string" || value.length > 40) return null
  const text = value.trim()
  const isMonth = month.test(text)
  const midnight = knownMidnight(known, isMonth ? `${text}-01` : text.slice(0, 10))
  if (midnight === null) return null
  if (isMonth || text.length === 10) return { at: midnight, unit: isMonth ? "month" : "day" }
  const at = momentOf(text.slice(10), midnight)
  return at === null ? null : { at, unit: "minute" }
}

/** The times in a column, all in one unit. */
export interface Times {
  readonly at: ReadonlyArray<number>
  readonly unit: TimeUnit
}

/**
 * The times of a column of nothing but times from 1900 to 2199: months (`2026-01`), days (`2026-01-31`), or moments in ISO 8601, which
 * are shown in Indian Standard Time when they have a zone and as they are written when they have none. Null when any
 * value is something else. Moments that are all midnight are days.
 */
export const timesOf = (values: ReadonlyArray<Value>): Times | null => {
  const times: Array<WallTime> = []
  const known: Midnights = new Map()
  for (const value of values) {
    const time = wallTimeOf(value, known)
    if (time === null) return null
    times.push(time)
  }
  const [first] = times
  if (first === undefined) return null
  const at = times.map((time) => time.at)
  if (times.every(({ unit }) => unit === first.unit) && first.unit !== "minute") return { at, unit: first.unit }
  return { at, unit: at.every((each) => each % DAY === 0) ? "day" : "minute" }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const two = (number: number): string => String(number).padStart(2, "0")

/** A time on the wall as people read it: `Jan 2026`, `31 Jan 2026` or `31 Jan 2026, 17:30`; the year only if asked. */
export const readTime = (at: number, unit: TimeUnit, withYear: boolean): string => {
  const { day, hours, minutes, month, year } = DateTime.toPartsUtc(DateTime.unsafeMake(at))
  const name = months[month - 1] ?? ""
  if (unit === "month") return `${name} ${year}`
  const date = withYear ? `${day} ${name} ${year}` : `${day} ${name}`
  return unit === "day" ? date : `${date}, ${two(hours)}:${two(minutes)}`
}

const yearOf = (at: number): number => DateTime.toPartsUtc(DateTime.unsafeMake(at)).year

/** Times as people read them, with their years where they are not all of one. */
export const readTimes = ({ at, unit }: Times): ReadonlyArray<string> => {
  const withYear = new Set(at.map(yearOf)).size > 1
  return at.map((each) => readTime(each, unit, withYear))
}
