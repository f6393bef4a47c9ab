import { type TimeZone, zonePeriod } from "@trunkline/kernel"

const day = 24 * 60 * 60_000

/** The day that the clocks of a zone show, counted from 1970-01-01. */
const dayOf = (zone: TimeZone, at: number): number => Math.floor((at + zonePeriod(zone, at).offset) / day)

/** The first moment after `at` that belongs to a later day by the clocks of a zone. */
export const nextDay = (zone: TimeZone, at: number): number => {
  const today = dayOf(zone, at)
  for (let moment = at;;) {
    const { offset, until } = zonePeriod(zone, moment)
    const midnight = Math.max(moment, (today + 1) * day - offset)
    if (midnight < until) return midnight
    moment = until
  }
}

/** The first moment of the day that `at` belongs to by the clocks of a zone. */
export const dayStart = (zone: TimeZone, at: number): number => {
  let start = at - 2 * day
  for (let next = nextDay(zone, start); next <= at; next = nextDay(zone, start)) start = next
  return start
}
