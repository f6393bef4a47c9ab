import { Either } from "effect"
import { type ChartRequest, maxTrend, type NumberChart, type Trend } from "./Chart.js"
import { type Column, findColumn, valuesOf } from "./Columns.js"
import { formatChange, numberOrNull } from "./Format.js"
import { formatTimes, parseTimes } from "./Times.js"

/** Trend of a column over the rows, if `x_axis` names a column of times, newest first. */
export const trendOf = ({ table, viz_config: { x_axis } }: ChartRequest, column: Column): Trend | undefined => {
  const periods = typeof x_axis === "string" ? findColumn(table, x_axis) : null
  if (periods === null || Either.isLeft(periods) || table.rows.length < 2) return undefined
  const times = parseTimes(valuesOf(table, periods.right))
  const isNewestFirst = times?.at.every((at, index) => index === 0 || at < (times.at[index - 1] ?? at)) === true
  if (times === null || !isNewestFirst) return undefined
  const values = valuesOf(table, column).slice(0, maxTrend).map(numberOrNull)
  return { period: formatTimes(times)[1] ?? "", previous: values[1] ?? null, values: values.toReversed() }
}

/** Change of a number against the period before, such as `+12 (+23 %) against 30 Jan`; null without an earlier value. */
export const describeTrend = ({ trend, value }: NumberChart): string | null =>
  trend === undefined || trend.previous === null
    ? null
    : `${formatChange(trend.previous, value)} against ${trend.period}`
