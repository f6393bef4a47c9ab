import { chartOf, describeTrend, formatChange, formatNumber } from "@trunkline/charts"
import type { Cell, QueryResult } from "@trunkline/warehouse"
import { Either } from "effect"
import { type Figure, isWidgetFailure, type Report, runTimeOf } from "./Report.js"
import { singleValueOf } from "./Tables.js"
import { isIdentifier, toOneLine } from "./Text.js"

const maxLabel = 60

/** Labels and values of the column that a report is about; null is a gap. */
interface Values {
  readonly column: string
  readonly labels: ReadonlyArray<string>
  readonly values: ReadonlyArray<number | null>
}

const isCount = (cell: Cell | undefined): boolean =>
  cell === null || (typeof cell === "number" && Number.isInteger(cell))

/** Index of the first column of whole numbers that are no identifiers. */
const countedColumn = ({ columns, rows }: QueryResult): number =>
  columns.findIndex(({ name }, index) =>
    !isIdentifier(name) && rows.every((row) => isCount(row[index])) && rows.some((row) => row[index] !== null)
  )

/** Axes of a plot as set, and of a table its first other column and its first column of counts. */
const axesOf = ({ viz_config, viz_type }: Report, result: QueryResult) => {
  if (viz_type !== "table") return viz_config
  const valueColumn = countedColumn(result)
  const [x_axis, y_axis] = [result.columns[valueColumn === 0 ? 1 : 0]?.name, result.columns[valueColumn]?.name]
  return x_axis === undefined || y_axis === undefined ? {} : { x_axis, y_axis: [y_axis] }
}

const valuesOf = (report: Report, result: QueryResult): Values | null => {
  if (report.viz_type === "number" || result.truncated) return null
  const chart = chartOf({ title: "", viz_type: "line", viz_config: axesOf(report, result), table: result })
  if (Either.isLeft(chart) || !("series" in chart.right) || chart.right.note !== null) return null
  const [series] = chart.right.series
  return series === undefined ? null : { column: series.name, labels: chart.right.x.labels, values: series.values }
}

const totalOf = ({ values }: Values): number | null =>
  values.every(isCount) ? values.reduce<number>((total, value) => total + (value ?? 0), 0) : null

/** Sentence about the highest and the lowest of several values that differ. */
const extremesOf = ({ labels, values }: Values): ReadonlyArray<string> => {
  const numbers = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const at = (value: number) => toOneLine(labels[values.indexOf(value)] ?? "", maxLabel)
  return low === high
    ? []
    : [`the highest is ${at(high)} with ${formatNumber(high)}, the lowest ${at(low)} with ${formatNumber(low)}`]
}

/**
 * Number by which a report is compared with the one before: the value of a `number`, or the total of whole numbers that
 * other widgets draw or list first. Null for failures and for results that were cut.
 */
export const figureOf = (report: Report): Figure | null => {
  const { outcome, run_at } = report
  if (isWidgetFailure(outcome)) return null
  const single = singleValueOf(report, outcome)
  if (single !== undefined) {
    return typeof single.value === "number" ? { name: single.column, value: single.value, run_at } : null
  }
  const values = valuesOf(report, outcome)
  const total = values === null ? null : totalOf(values)
  return values === null || total === null ? null : { name: values.column, value: total, run_at }
}

/** Sentence that states what a result amounts to; null when there is no more to say than the result itself does. */
const describeResult = (report: Report, result: QueryResult): string | null => {
  if (report.viz_type === "number") {
    const chart = chartOf({ title: "", viz_type: "number", viz_config: report.viz_config, table: result })
    const change = Either.isRight(chart) && chart.right.kind === "number" ? describeTrend(chart.right) : null
    return change === null ? null : `${change}.`
  }
  const values = valuesOf(report, result)
  if (values === null) return null
  const total = totalOf(values)
  const parts = [...(total === null ? [] : [`${formatNumber(total)} in all`]), ...extremesOf(values)]
  return parts.length === 0 ? null : `${toOneLine(values.column, maxLabel)}: ${parts.join("; ")}.`
}

/** Sentence about the change of the report's number against that of the report before. */
const describeLast = (report: Report): string | null => {
  const { last } = report
  const now = figureOf(report)
  if (last === undefined || now === null || now.name !== last.name) return null
  const before = `the last report, of ${runTimeOf(last)}, which had ${formatNumber(last.value)}`
  return now.value === last.value
    ? `No change against ${before}.`
    : `${formatChange(last.value, now.value)} against ${before}.`
}

/** Sentences that sum up a report: what its result amounts to, and the change against the report before. */
export const summaryOf = (report: Report): ReadonlyArray<string> =>
  isWidgetFailure(report.outcome)
    ? []
    : [describeResult(report, report.outcome), describeLast(report)].filter((sentence) => sentence !== null)
