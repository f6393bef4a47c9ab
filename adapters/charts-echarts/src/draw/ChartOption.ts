import {
  type Chart,
  type EmptyChart,
  formatLabelNumber,
  formatShortNumber,
  type PlotChart,
  type Series
} from "@trunkline/charts"
import type { EChartsCoreOption } from "echarts/core"
import { captionOption, headerOf, legendGap, legendName, titleCaptions } from "./Header.js"
import { numberOption } from "./NumberOption.js"
import { colours, escapeLabel, fontSizes, margin, seriesColours, type Size } from "./Style.js"
import { categoryLabels, type TextFit, timeLabel } from "./TextFit.js"

/** Width of the numbers on the value axis, with the gap to the bars. */
const valueAxisWidth = 56

/** Maximum number of bars with their values at their ends, if those fit. */
const maxLabelledBars = 12

/** Gap between the axis and the labels of categories, and with values of bars between them. */
const axisGap = { plain: 8, withValues: 26 } as const

/** Maximum number of points that are each marked. */
const maxMarkedPoints = 60

const millisOf = { minute: 60_000, day: 86_400_000, month: 28 * 86_400_000 } as const

const axisStyle = {
  axisLine: { lineStyle: { color: colours.axis } },
  axisTick: { show: false },
  splitLine: { show: false }
} as const

const labelStyle = { color: colours.muted, fontSize: fontSizes.label } as const

/** A time alone is in the middle of three, because ECharts would show the days around it. */
const timeAxis = (times: ReadonlyArray<number>, unit: keyof typeof millisOf) => {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const around = first === last ? millisOf[unit] : 0
  const [min, max] = [first - around, last + around]
  const span = max - min
  return {
    ...axisStyle,
    type: "time",
    min,
    max,
    minInterval: millisOf[unit],
    axisLabel: { ...labelStyle, hideOverlap: true, formatter: (at: number) => timeLabel(at, span) }
  }
}

/** Width of each of so many categories. */
const bandWidth = (categories: number, size: Size): number => (size.width - 2 * margin - valueAxisWidth) / categories

/** True when the values of bars fit beside one another. */
const fitsValueLabels = ({ kind, series, x }: PlotChart, size: Size, fit: TextFit): boolean => {
  if (kind !== "bar" || series.length > 1 || x.labels.length > maxLabelledBars) return false
  const band = bandWidth(x.labels.length, size)
  const numbers = (series[0]?.values ?? []).filter((value) => value !== null).map(formatLabelNumber)
  return numbers.every((number) => fit.width(number, { size: fontSizes.label }) <= band)
}

/** Layout of labels. */
interface Labelling {
  readonly fit: TextFit
  /** True when bars have their values at their ends. */
  readonly hasValues: boolean
}

/** Categories are named by their index, so that equal labels stay apart. */
const categoryAxis = ({ kind, series, x }: PlotChart, size: Size, { fit, hasValues }: Labelling) => {
  const band = bandWidth(x.labels.length, size)
  const { rotate, step, texts } = categoryLabels(x.labels, band, { fit, thin: kind === "line" })
  const isBelow = hasValues && series.some(({ values }) => values.some((value) => value !== null && value < 0))
  return {
    ...axisStyle,
    type: "category",
    data: texts.map((_, index) => String(index)),
    boundaryGap: kind === "bar",
    axisLabel: {
      ...labelStyle,
      rotate,
      margin: isBelow ? axisGap.withValues : axisGap.plain,
      interval: step - 1,
      formatter: (index: string) => escapeLabel(texts[Number(index)] ?? "")
    }
  }
}

const isIsolated = (values: Series["values"], place: number): boolean =>
  values[place] !== null && values[place - 1] == null && values[place + 1] == null

const barOf = ({ values }: Series, hasValues: boolean) => ({
  type: "bar",
  barMaxWidth: 64,
  barCategoryGap: "28%",
  barGap: "8%",
  data: values.map((value) => ({ value, label: { position: value !== null && value < 0 ? "bottom" : "top" } })),
  label: {
    show: hasValues,
    color: colours.text,
    fontSize: fontSizes.label,
    formatter: ({ value }: { readonly value: unknown }) => typeof value === "number" ? formatLabelNumber(value) : ""
  }
})

const lineOf = ({ values }: Series, place: number, times: ReadonlyArray<number> | null) => ({
  type: "line",
  connectNulls: false,
  symbol: "circle",
  itemStyle: { color: seriesColours[place % seriesColours.length], borderWidth: 0 },
  symbolSize: 6,
  showAllSymbol: true,
  lineStyle: { width: 2.25, type: place < 4 ? "solid" : [7, 4] },
  data: values.map((value, index) => ({
    value: times === null ? value : [times[index] ?? 0, value],
    symbol: values.length <= maxMarkedPoints || isIsolated(values, index) ? "circle" : "none"
  }))
})

/** Bars or lines as an option of ECharts, with all texts laid out. */
const plotOption = (chart: PlotChart, size: Size, fit: TextFit): EChartsCoreOption => {
  const { kind, series, x } = chart
  const header = headerOf(chart, size, fit)
  const times = kind === "line" ? x.times : null
  const hasValues = fitsValueLabels(chart, size, fit)
  const xName = fit.truncate(x.name, { size: fontSizes.note }, size.width / 2)
  const nameWidth = fit.width(xName, { size: fontSizes.note })
  const captions = [...header.captions, {
    text: xName,
    left: (size.width + valueAxisWidth - nameWidth) / 2,
    top: size.height - margin - 8,
    size: fontSizes.note,
    bold: false,
    colour: colours.muted
  }]
  /** Series are named by their index, like categories. */
  const placeOf = (name: string) => String(series.findIndex((each) => each.name === name))
  return {
    color: [...seriesColours],
    title: captions.map(captionOption),
    legend: header.legend.map(({ names, top }) => ({
      top,
      left: margin,
      padding: 0,
      itemGap: legendGap,
      itemWidth: 16,
      itemHeight: kind === "bar" ? 10 : 8,
      selectedMode: false,
      data: names.map(placeOf),
      formatter: (place: string) => escapeLabel(legendName(series[Number(place)]?.name ?? "", fit)),
      textStyle: { color: colours.text, fontSize: fontSizes.label }
    })),
    grid: {
      left: margin,
      right: margin + 6,
      top: header.bottom + (hasValues ? 12 : 0),
      bottom: margin + 18,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel"
    },
    xAxis: times === null ? categoryAxis(chart, size, { fit, hasValues }) : timeAxis(times, x.unit ?? "minute"),
    yAxis: {
      type: "value",
      splitNumber: 5,
      axisLabel: { ...labelStyle, formatter: formatShortNumber },
      splitLine: { lineStyle: { color: colours.line } }
    },
    series: series.map((each, place) => ({
      ...(kind === "bar" ? barOf(each, hasValues) : lineOf(each, place, times)),
      name: placeOf(each.name),
      silent: true,
      emphasis: { disabled: true }
    }))
  }
}

/** The title, and in the middle what the result lacks. */
const emptyOption = ({ message, title }: EmptyChart, size: Size, fit: TextFit): EChartsCoreOption => {
  const font = { size: fontSizes.title, bold: false }
  const text = fit.truncate(message, font, size.width - 2 * margin)
  const middle = {
    ...font,
    text,
    left: (size.width - fit.width(text, font)) / 2,
    top: (size.height - font.size) / 2,
    colour: colours.muted
  }
  return { title: [...titleCaptions(title, size, fit), middle].map(captionOption) }
}

/** A chart as an option of ECharts. */
export const chartOption = (chart: Chart, size: Size, fit: TextFit): EChartsCoreOption => {
  switch (chart.kind) {
    case "empty":
      return emptyOption(chart, size, fit)
    case "number":
      return numberOption(chart, size, fit)
    case "bar":
    case "line":
      return plotOption(chart, size, fit)
  }
}
