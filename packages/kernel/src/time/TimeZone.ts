import { issueType } from "@trunkline/errors"
import { DateTime, Option, Schema } from "effect"
import { LRUCache } from "lru-cache"

/** Default time zone. */
export const defaultTimeZone = "Asia/Kolkata"

const shortNames = ["CET", "EET", "EST", "GMT", "HST", "MET", "MST", "PRC", "ROC", "ROK", "UCT", "UTC", "WET"]

/** True for names that runtimes accept but IANA does not define, such as the ambiguous IST. */
const isNotIana = (name: string) =>
  /^(?:[+-]|SystemV\/)/i.test(name) || (name.length === 3 && !shortNames.includes(name.toUpperCase()))

/** Cache of valid names, since a check takes a third of a millisecond. Bounded, because names ignore case. */
const validNames = new LRUCache<string, true>({ max: 1_000 })

const isZone = (name: string): boolean => {
  if (validNames.get(name) === true) return true
  if (isNotIana(name) || Option.isNone(DateTime.zoneMakeNamed(name))) return false
  validNames.set(name, true)
  return true
}

/** A time zone by its name in the IANA database, such as `Asia/Kolkata`; offsets and abbreviations are not accepted. */
export const TimeZone = Schema.String.pipe(
  Schema.filter(isZone, {
    identifier: "TimeZone",
    message: () => "Must be the IANA name of a time zone, such as Asia/Kolkata",
    ...issueType("value_error")
  })
)
export type TimeZone = typeof TimeZone.Type

/** A period during which the offset of a time zone does not change. */
export interface ZonePeriod {
  /** Offset from UTC, in milliseconds. */
  readonly offset: number
  /** Earliest possible end of the period, in milliseconds since 1970. */
  readonly until: number
}

const day = 86_400_000
const maxDays = 5_000

interface ZoneDay extends ZonePeriod {
  /** The rest of the day, if the offset changes during it. */
  readonly later?: ZonePeriod
}

class ZoneCalendar {
  readonly #zone: DateTime.TimeZone.Named
  readonly #days = new LRUCache<number, ZoneDay>({ max: maxDays })

  constructor(name: TimeZone) {
    this.#zone = DateTime.zoneUnsafeMakeNamed(name)
  }

  day(number: number): ZoneDay {
    const cachedDay = this.#days.get(number)
    if (cachedDay !== undefined) return cachedDay
    const fresh = this.#make(number * day, (number + 1) * day)
    this.#days.set(number, fresh)
    return fresh
  }

  #make(from: number, until: number): ZoneDay {
    const [offset, laterOffset] = [this.#offset(from), this.#offset(until)]
    if (offset === laterOffset) return { offset, until }
    const change = this.#change(from, until, offset)
    return { offset, until: change, later: { offset: laterOffset, until } }
  }

  /** Binary search for the first moment with another offset. */
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
  const cachedCalendar = calendars.get(name)
  if (cachedCalendar !== undefined) return cachedCalendar
  const calendar = new ZoneCalendar(name)
  calendars.set(name, calendar)
  return calendar
}

/**
 * Looks up a time zone's offset from UTC at a moment, in milliseconds since 1970, and how long it is certain to hold.
 * Days are cached, so that a lookup takes a fraction of a microsecond.
 */
export const zonePeriod = (zone: TimeZone, at: number): ZonePeriod => {
  const calendarDay = calendarOf(zone).day(Math.floor(at / day))
  return calendarDay.later !== undefined && at >= calendarDay.until ? calendarDay.later : calendarDay
}
