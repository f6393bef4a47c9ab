import type { CampaignSeen } from "./History.js"

/*
 * Windows by what the host's own calendar says of a moment, and by looking at many moments: slow, plain, and nothing in
 * common with the engine's way.
 */

const readers = new Map<string, Intl.DateTimeFormat>()

const readerOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = readers.get(timeZone)
  if (known !== undefined) return known
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

/** Whether the clocks of the window's zone read a time in it at this moment. */
export const isOpenAt = ({ days, end, start, timezone }: CampaignSeen["window"], at: number): boolean => {
  const read = Object.fromEntries(readerOf(timezone).formatToParts(at).map(({ type, value }) => [type, value]))
  const today = read["weekday"] ?? ""
  const yesterday = week[(week.indexOf(today) + 6) % 7] ?? ""
  const minute = minutesOf(`${read["hour"]}:${read["minute"]}`)
  const [from, until] = [minutesOf(start), minutesOf(end)]
  return from < until
    ? days.includes(today) && minute >= from && minute < until
    : (days.includes(today) && minute >= from) || (days.includes(yesterday) && minute < until)
}

/** No window of a simulation is open for a shorter time than this, so that looking this often misses none. */
const STEP = 15 * 60_000

/** Whether the window is shut at every moment from `from` up to, and not including, `to`. */
export const isShutThroughout = (window: CampaignSeen["window"], from: number, to: number): boolean => {
  for (let at = from; at < to; at += STEP) if (isOpenAt(window, at)) return false
  return to <= from || !isOpenAt(window, to - 1)
}
