/** One value, drawn large with its name. */
export interface NumberChart {
  readonly kind: "number"
  readonly title: string
  /** The name of its column. */
  readonly name: string
  readonly value: number
}

/** The values of one column, in the order of the positions on the x axis; null is a gap. */
export interface Series {
  /** The name of its column, never empty, and of no other series of the chart. */
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

/** Where things are on the x axis. */
export interface Axis {
  /** The name of its column. */
  readonly name: string
  /** What is written at each position. */
  readonly labels: ReadonlyArray<string>
  /**
   * When each position is, if all of them are times: milliseconds since 1970, as though the clock on the wall showed
   * UTC. Never falling in a line, in the order of the rows in bars.
   */
  readonly times: ReadonlyArray<number> | null
  /** How exact those times are, each a whole one of its unit. */
  readonly unit: TimeUnit | null
}

/** What the times of an axis are. */
export type TimeUnit = "minute" | "day" | "month"

/** Bars or lines over an x axis. */
export interface PlotChart {
  readonly kind: "bar" | "line"
  readonly title: string
  readonly x: Axis
  /** From one to `MAX_SERIES`, at least one of which has a number. */
  readonly series: ReadonlyArray<Series>
  /** What of the table is not drawn, to be written beside the title. */
  readonly note: string | null
}

/** What is drawn: every text is fit for XML, every number finite, and no more of either than a picture has room for. */
export type Chart = NumberChart | PlotChart

/** How many series a chart has room for; a note tells of the rest. */
export const MAX_SERIES = 8

/** How many positions bars are drawn at; a note tells of the rest. */
export const MAX_BARS = 60

/** How many positions a line is drawn through; of more, the highest and lowest of every stretch are. */
export const MAX_POINTS = 5_000

/** The same chart with other texts. */
export const mapTexts = (chart: Chart, change: (text: string) => string): Chart =>
  chart.kind === "number"
    ? { ...chart, title: change(chart.title), name: change(chart.name) }
    : {
      ...chart,
      title: change(chart.title),
      note: chart.note === null ? null : change(chart.note),
      x: { ...chart.x, name: change(chart.x.name), labels: chart.x.labels.map(change) },
      series: chart.series.map((series) => ({ ...series, name: change(series.name) }))
    }
