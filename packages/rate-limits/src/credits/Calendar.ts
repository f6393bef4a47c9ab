import { TimeZone, zonePeriod } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"
import type { KeyBudget } from "./KeyBudget.js"

/** The days and months of a time zone. Moments are epoch milliseconds, days `YYYY-MM-DD`. */
export interface Calendar {
  readonly dayOf: (at: number) => string
  /** The days of the budget period that a moment is in, both included. */
  readonly daysOf: (period: KeyBudget["period"], at: number) => { readonly from: string; readonly to: string }
  /** When the period after that begins; null when there is none. */
  readonly endOf: (period: KeyBudget["period"], at: number) => DateTime.Utc | null
}

/** More than any month, however its clocks change. */
const longestPeriod = 33 * 86_400_000

/** The calendar of a time zone. A name that is none is a defect. */
export const calendarOf = (name: string): Calendar => {
  const zone = Schema.decodeSync(TimeZone)(name)
  const dayOf = (at: number) => DateTime.formatIsoDateUtc(DateTime.unsafeMake(at + zonePeriod(zone, at).offset))

  const daysOf = (period: KeyBudget["period"], at: number) => {
    const day = dayOf(at)
    const month = day.slice(0, "YYYY-MM".length)
    switch (period) {
      case "day":
        return { from: day, to: day }
      case "month":
        return { from: `${month}-01`, to: `${month}-31` }
      case "total":
        return { from: "0000-01-01", to: "9999-12-31" }
    }
  }

  const endOf = (period: KeyBudget["period"], at: number) => {
    if (period === "total") return null
    const { to } = daysOf(period, at)
    let [before, after] = [at, at + longestPeriod]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (dayOf(middle) <= to) before = middle
      else after = middle
    }
    return DateTime.unsafeMake(after)
  }

  return { dayOf, daysOf, endOf }
}
