import { issueType } from "@trunkline/errors"
import { DateTime, Option, Schema } from "effect"

/** The time zone where none is given (decisions 16). */
export const DEFAULT_TIME_ZONE = "Asia/Kolkata"

const shortNames = ["CET", "EET", "EST", "GMT", "HST", "MET", "MST", "PRC", "ROC", "ROK", "UCT", "UTC", "WET"]

/** Runtimes also know names of their own, such as IST, which means three zones in the world. */
const isForeign = (name: string) =>
  /^(?:[+-]|SystemV\/)/i.test(name) || (name.length === 3 && !shortNames.includes(name.toUpperCase()))

/** Names that were found to be zones, which takes a third of a millisecond; forgotten when there are many, since case is free. */
const zones = new Set<string>()
const REMEMBERED = 1_000

const isZone = (name: string): boolean => {
  if (zones.has(name)) return true
  if (isForeign(name) || Option.isNone(DateTime.zoneMakeNamed(name))) return false
  if (zones.size >= REMEMBERED) zones.clear()
  zones.add(name)
  return true
}

/** A time zone by its name in the IANA database, such as `Asia/Kolkata`; offsets and abbreviations are not names. */
export const TimeZone = Schema.String.pipe(
  Schema.filter(isZone, {
    identifier: "TimeZone",
    message: () => "Must be the IANA name of a time zone, such as Asia/Kolkata",
    ...issueType("value_error")
  })
)
export type TimeZone = typeof TimeZone.Type

/** A time during which a zone's clocks do not change. */
export interface ZonePeriod {
  /** What the clocks are ahead of UTC, in milliseconds. */
  readonly offset: number
  /** When the period may end, in milliseconds since 1970. */
  readonly until: number
}

const day = 86_400_000
const maxDays = 5_000

interface ZoneDay extends ZonePeriod {
  /** The rest of the day, when clocks change during it. */
  readonly later?: ZonePeriod
}

class ZoneCalendar {
  readonly #zone: DateTime.TimeZone.Named
  readonly #days = new Map<number, ZoneDay>()

  constructor(name: TimeZone) {
    this.#zone = DateTime.zoneUnsafeMakeNamed(name)
  }

  day(number: number): ZoneDay {
    const known = this.#days.get(number)
    if (known !== undefined) return known
    if (this.#days.size >= maxDays) this.#days.clear()
    const made = this.#make(number * day, (number + 1) * day)
    this.#days.set(number, made)
    return made
  }

  #make(from: number, until: number): ZoneDay {
    const [offset, laterOffset] = [this.#offset(from), this.#offset(until)]
    if (offset === laterOffset) return { offset, until }
    const change = this.#change(from, until, offset)
    return { offset, until: change, later: { offset: laterOffset, until } }
  }

  /** The first moment in between at which the offset is no longer `offset`. */
  #change(from: number, until: number, offset: number): number {
    let [before, after] = [from, until]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.#offset(middle) === offset) before = middle
      else after = middle
    }
    return after
  }

  #offset(at: number): number {
    return DateTime.zonedOffset(DateTime.unsafeMakeZoned(at, { timeZone: this.#zone }))
  }
}

const calendars = new Map<TimeZone, ZoneCalendar>()

const calendarOf = (name: TimeZone): ZoneCalendar => {
  const known = calendars.get(name)
  if (known !== undefined) return known
  const made = new ZoneCalendar(name)
  calendars.set(name, made)
  return made
}

/**
 * What a zone's clocks are ahead of UTC at a moment, and until when this is sure to hold. Remembers the days it has
 * looked up, so that it costs a fraction of a microsecond.
 */
export const zonePeriod = (zone: TimeZone, at: number): ZonePeriod => {
  const found = calendarOf(zone).day(Math.floor(at / day))
  return found.later !== undefined && at >= found.until ? found.later : found
}
