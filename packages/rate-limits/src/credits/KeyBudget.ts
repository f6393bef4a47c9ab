import { TimeZone, zonePeriod } from "@trunkline/kernel"
import { DateTime, Schema } from "effect"

/** Spending limit of a key within the credits of its account (docs/decisions.md, 32). */
export const KeyBudget = Schema.Struct({
  /** Limit in whole micro-credits, according to the price table. */
  micro_credits: Schema.NonNegativeInt,
  /** Reset interval: every day or month in the time zone of `Credits`, or never. */
  period: Schema.Literal("day", "month", "total")
})
export type KeyBudget = typeof KeyBudget.Type

/** Days and months in a time zone. Times are epoch milliseconds, days are `YYYY-MM-DD`. */
export interface Calendar {
  readonly dayOf: (at: number) => string
  /** First and last day of the budget period that contains a time. */
  readonly daysOf: (period: KeyBudget["period"], at: number) => { readonly from: string; readonly to: string }
  /** Start of the next period; null for `total`. */
  readonly endOf: (period: KeyBudget["period"], at: number) => DateTime.Utc | null
}

/** Longer than any month, including clock changes. */
const maxPeriod = 33 * 86_400_000

const dayMillis = 86_400_000

/** The calendar of a time zone; dies when the name is unknown. */
export const calendarOf = (name: string): Calendar => {
  const zone = Schema.decodeSync(TimeZone)(name)
  let [lastDay, lastText] = [Number.NaN, ""]

  /** For every payment, hence with the last day kept. */
  const dayOf = (at: number) => {
    const local = at + zonePeriod(zone, at).offset
    const day = Math.floor(local / dayMillis)
    if (day !== lastDay) {
      lastText = DateTime.formatIsoDateUtc(DateTime.unsafeMake(local))
      lastDay = day
    }
    return lastText
  }

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
    let [before, after] = [at, at + maxPeriod]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (dayOf(middle) <= to) before = middle
      else after = middle
    }
    return DateTime.unsafeMake(after)
  }

  return { dayOf, daysOf, endOf }
}
