import { Schema } from "effect"

/** Visualization of a result. */
export const VizType = Schema.Literal("number", "table", "bar", "line")
export type VizType = typeof VizType.Type

/**
 * Settings of a visualization: `x_axis` and `y_axis` for `bar` and `line`, `value_column` for `number`. Unknown keys
 * are preserved for the client that set them.
 */
export const VizConfig = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type VizConfig = typeof VizConfig.Type

/** A cell of a table. */
export type Value = string | number | boolean | null

/** A result table to draw. */
export interface Table {
  readonly columns: ReadonlyArray<{ readonly name: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<Value>>
}

/** A table and how to display it. */
export interface ChartRequest {
  /** Drawn above the chart. */
  readonly title: string
  readonly viz_type: VizType
  readonly viz_config: VizConfig
  readonly table: Table
}

/** A chart could not be rendered. */
export class ChartError extends Schema.TaggedError<ChartError>()("ChartError", {
  /**
   * - `busy`: too many charts are being rendered; retrying within seconds should succeed.
   * - `unavailable`: no renderer is configured, or rendering failed or timed out.
   * - `unsuitable`: the table or its settings do not make a chart; retrying cannot help.
   */
  kind: Schema.Literal("busy", "unavailable", "unsuitable"),
  /** A sentence for the user. May contain column names, never cell values. */
  message: Schema.String
}) {}

/** Error for a table or settings that do not make a chart. */
export const unsuitableError = (message: string): ChartError => new ChartError({ kind: "unsuitable", message })

/** Periods that lead to a number. */
export interface Trend {
  /** Label of the period before. */
  readonly period: string
  /** Value of the period before; null if it has none. */
  readonly previous: number | null
  /** Values of up to `maxTrend` periods, ending with the number itself; null is a gap. */
  readonly values: ReadonlyArray<number | null>
}

/** One value with its name. */
export interface NumberChart {
  readonly kind: "number"
  readonly title: string
  /** Name of the value's column. */
  readonly name: string
  readonly value: number
  /** Absent when the table has no earlier periods. */
  readonly trend?: Trend
}

/** Values of one column, one per position on the x axis; null is a gap. */
export interface Series {
  /** Column name; never empty, and unique within the chart. */
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

/** Positions on the x axis. */
export interface Axis {
  /** Name of the axis's column. */
  readonly name: string
  /** Label of each position. */
  readonly labels: ReadonlyArray<string>
  /**
   * Time of each position when all positions are times, otherwise null: milliseconds since 1970 of the local wall
   * clock, as if it showed UTC. Ascending in a line chart, in row order in a bar chart.
   */
  readonly times: ReadonlyArray<number> | null
  /** Precision of `times`; each time is a whole number of this unit. */
  readonly unit: TimeUnit | null
}

/** Precision of the times on an axis. */
export type TimeUnit = "minute" | "day" | "month"

/** Bars or lines over an x axis. */
export interface PlotChart {
  readonly kind: "bar" | "line"
  readonly title: string
  readonly x: Axis
  /** From one to `maxSeries`; at least one of them has a number. */
  readonly series: ReadonlyArray<Series>
  /** States which part of the table is not drawn; shown beside the title. */
  readonly note: string | null
}

/** The picture of a result without anything to draw. */
export interface EmptyChart {
  readonly kind: "empty"
  readonly title: string
  /** The chart that a result with numbers would have. */
  readonly viz_type: "number" | "bar" | "line"
  /** Sentence that says what the result lacks. */
  readonly message: string
}

/**
 * A chart ready to draw: every text is valid XML content, every number is finite, and both are within the limits below.
 */
export type Chart = NumberChart | PlotChart | EmptyChart

/** Most series of a chart. The note mentions omitted ones. */
export const maxSeries = 8

/** Most positions of a bar chart. The note mentions omitted ones. */
export const maxBars = 60

/** Most positions of a line chart. Longer lines are downsampled to the extremes of each stretch. */
export const maxPoints = 5_000

/** Most periods of a trend. Earlier ones are not drawn. */
export const maxTrend = 366

/** Applies a function to every text of a chart. */
export const mapTexts = (chart: Chart, change: (text: string) => string): Chart => {
  const title = change(chart.title)
  switch (chart.kind) {
    case "empty":
      return { ...chart, title, message: change(chart.message) }
    case "number":
      return {
        ...chart,
        title,
        name: change(chart.name),
        ...(chart.trend && { trend: { ...chart.trend, period: change(chart.trend.period) } })
      }
    case "bar":
    case "line":
      return {
        ...chart,
        title,
        note: chart.note === null ? null : change(chart.note),
        x: { ...chart.x, name: change(chart.x.name), labels: chart.x.labels.map(change) },
        series: chart.series.map((series) => ({ ...series, name: change(series.name) }))
      }
  }
}
