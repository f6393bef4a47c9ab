import type { CampaignSnapshot } from "./History.js"

/*
 * Calling windows computed with `Intl` and by sampling: slow and simple, and independent of the implementation in the
 * engine.
 */

const readers = new Map<string, Intl.DateTimeFormat>()

const readerOf = (timeZone: string): Intl.DateTimeFormat => {
  const entry = readers.get(timeZone)
  if (entry !== undefined) return entry
  const reader = new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  })
  readers.set(timeZone, reader)
  return reader
}

const week = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** True when the window is open at a time, in the time zone of the window. */
export const isOpenAt = ({ days, end, start, timezone }: CampaignSnapshot["window"], at: number): boolean => {
  const read = Object.fromEntries(readerOf(timezone).formatToParts(at).map(({ type, value }) => [type, value]))
  const today = read["weekday"] ?? ""
  const yesterday = week[(week.indexOf(today) + 6) % 7] ?? ""
  const minute = minutesOf(`${read["hour"]}:${read["minute"]}`)
  const [from, until] = [minutesOf(start), minutesOf(end)]
  return from < until
    ? days.includes(today) && minute >= from && minute < until
    : (days.includes(today) && minute >= from) || (days.includes(yesterday) && minute < until)
}

/** Sampling interval. No window of a simulation is open for a shorter time. */
const sampleInterval = 15 * 60_000

/** True when the window is closed from `from` (inclusive) to `to` (exclusive). */
export const isClosedThroughout = (window: CampaignSnapshot["window"], from: number, to: number): boolean => {
  for (let at = from; at < to; at += sampleInterval) if (isOpenAt(window, at)) return false
  return to <= from || !isOpenAt(window, to - 1)
}
