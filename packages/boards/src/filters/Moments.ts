import { Timestamp } from "@trunkline/kernel"
import { DateTime, Option, Schema } from "effect"

/** A day or a moment, as filters name it. */
export interface Moment {
  /** The day as `YYYY-MM-DD`, or the moment in UTC. */
  readonly text: string
  /** Its first moment; all of these are fixed-width UTC, as the warehouse's own (shapes 7.4). */
  readonly start: string
  /** The first moment after the day; the moment itself where no day was named. */
  readonly end: string
  /** The last moment of the day; the moment itself where no day was named. */
  readonly last: string
}

const dayLength = 24 * 60 * 60 * 1000
/** Asia/Kolkata is ahead of UTC by this, all year (decisions 7). */
const ahead = 5.5 * 60 * 60 * 1000

const iso = (at: number): string => DateTime.formatIso(DateTime.unsafeMake(at))
const decode = Schema.decodeOption(Timestamp)
const read = (text: string) => Option.map(decode(text), ({ epochMillis }) => epochMillis)

const dayAt = (start: number): Moment => ({
  text: DateTime.formatIsoDateUtc(DateTime.unsafeMake(start + ahead)),
  start: iso(start),
  end: iso(start + dayLength),
  last: iso(start + dayLength - 1)
})

/** When the Indian day of a moment begins. */
const startOfDay = (now: number): number => Math.floor((now + ahead) / dayLength) * dayLength - ahead

const startOfMonth = (now: number): number => {
  const today = startOfDay(now)
  const date = DateTime.getPartUtc(DateTime.unsafeMake(today + ahead), "day")
  return today - (date - 1) * dayLength
}

const relative = /^today(?:([+-]\d{1,4})d)?$/
const day = /^\d{4}-\d{2}-\d{2}$/

/**
 * Reads `YYYY-MM-DD`, an RFC 3339 moment (UTC where it names no offset), or a day seen from `now`: `today`, `today-7d`,
 * `today+1d` (up to four digits), `month_start`. Days are those of Asia/Kolkata (decisions 7, design: boards 3.5).
 */
export const readMoment = (text: string, now: number): Option.Option<Moment> => {
  const [isRelative, days = "0"] = relative.exec(text) ?? []
  if (isRelative !== undefined) return Option.some(dayAt(startOfDay(now) + Number(days) * dayLength))
  if (text === "month_start") return Option.some(dayAt(startOfMonth(now)))
  if (day.test(text)) return Option.map(read(`${text}T00:00:00+05:30`), dayAt)
  return Option.map(read(text), (at) => ({ text: iso(at), start: iso(at), end: iso(at), last: iso(at) }))
}
