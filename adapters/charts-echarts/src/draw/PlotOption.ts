import { labelNumber, type PlotChart, type Series, shortNumber } from "@trunkline/charts"
import type { EChartsCoreOption } from "echarts/core"
import { categoryLabels } from "./CategoryLabels.js"
import type { Fit } from "./Fit.js"
import { guarded } from "./Guarded.js"
import { type Caption, headerOf, legendGap, legendName } from "./Header.js"
import { fontSizes, look, margin, seriesColours, type Size } from "./Look.js"
import { timeLabel } from "./TimeLabels.js"

/** A text as a title of ECharts. */
export const captionOption = ({ bold, colour, left, size, text, top }: Caption) => ({
  text: guarded(text),
  left,
  top,
  padding: 0,
  textStyle: { fontSize: size, fontWeight: bold ? 700 : 400, color: colour }
})

/** What numbers on the axis of values take, with the gap to the bars. */
const valuesWidth = 56

/** Of bars no more than this, the numbers are written at their ends, if they have room. */
const writtenBars = 12

/** How far below the chart the labels of categories are: far enough for the numbers of bars that end there. */
const labelGap = { bare: 8, written: 26 } as const

/** Of points no more than this, each is marked. */
const markedPoints = 60

const millisOf = { minute: 60_000, day: 86_400_000, month: 28 * 86_400_000 } as const

const axisLook = {
  axisLine: { lineStyle: { color: look.axis } },
  axisTick: { show: false },
  splitLine: { show: false }
} as const

const labelLook = { color: look.quiet, fontSize: fontSizes.label } as const

const timeAxis = (times: ReadonlyArray<number>, unit: keyof typeof millisOf) => {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return {
    ...axisLook,
    type: "time",
    minInterval: millisOf[unit],
    axisLabel: { ...labelLook, hideOverlap: true, formatter: (at: number) => timeLabel(at, span) }
  }
}

/** How wide the place of each of so many categories is. */
const bandOf = (categories: number, size: Size): number => (size.width - 2 * margin - valuesWidth) / categories

/** Whether the numbers of bars can be written without running into one another. */
const hasRoomForNumbers = ({ kind, series, x }: PlotChart, size: Size, fit: Fit): boolean => {
  if (kind !== "bar" || series.length > 1 || x.labels.length > writtenBars) return false
  const band = bandOf(x.labels.length, size)
  const numbers = (series[0]?.values ?? []).filter((value) => value !== null).map(labelNumber)
  return numbers.every((number) => fit.width(number, { size: fontSizes.label }) <= band)
}

/** How texts fit, and whether the numbers of bars are written beside them. */
interface Writing {
  readonly fit: Fit
  readonly writes: boolean
}

/** Categories go by their number, so that equal labels stay apart. */
const categoryAxis = ({ kind, series, x }: PlotChart, size: Size, { fit, writes }: Writing) => {
  const band = bandOf(x.labels.length, size)
  const { rotate, step, texts } = categoryLabels(x.labels, band, { fit, thin: kind === "line" })
  const isBelow = writes && series.some(({ values }) => values.some((value) => value !== null && value < 0))
  return {
    ...axisLook,
    type: "category",
    data: texts.map((_, index) => String(index)),
    boundaryGap: kind === "bar",
    axisLabel: {
      ...labelLook,
      rotate,
      margin: isBelow ? labelGap.written : labelGap.bare,
      interval: step - 1,
      formatter: (index: string) => guarded(texts[Number(index)] ?? "")
    }
  }
}

const isAlone = (values: Series["values"], place: number): boolean =>
  values[place] !== null && values[place - 1] == null && values[place + 1] == null

const barOf = ({ values }: Series, writes: boolean) => ({
  type: "bar",
  barMaxWidth: 64,
  barCategoryGap: "28%",
  barGap: "8%",
  data: values.map((value) => ({ value, label: { position: value !== null && value < 0 ? "bottom" : "top" } })),
  label: {
    show: writes,
    color: look.text,
    fontSize: fontSizes.label,
    formatter: ({ value }: { readonly value: unknown }) => typeof value === "number" ? labelNumber(value) : ""
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
    symbol: values.length <= markedPoints || isAlone(values, index) ? "circle" : "none"
  }))
})

/** Bars or lines as an option of ECharts, with the places of all texts worked out. */
export const plotOption = (chart: PlotChart, size: Size, fit: Fit): EChartsCoreOption => {
  const { kind, series, x } = chart
  const header = headerOf(chart, size, fit)
  const times = kind === "line" ? x.times : null
  const writes = hasRoomForNumbers(chart, size, fit)
  const xName = fit.cut(x.name, { size: fontSizes.note }, size.width / 2)
  const nameWidth = fit.width(xName, { size: fontSizes.note })
  const captions = [...header.captions, {
    text: xName,
    left: (size.width + valuesWidth - nameWidth) / 2,
    top: size.height - margin - 8,
    size: fontSizes.note,
    bold: false,
    colour: look.quiet
  }]
  /** Series go by their number, like categories. */
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
      formatter: (place: string) => guarded(legendName(series[Number(place)]?.name ?? "", fit)),
      textStyle: { color: look.text, fontSize: fontSizes.label }
    })),
    grid: {
      left: margin,
      right: margin + 6,
      top: header.bottom + (writes ? 12 : 0),
      bottom: margin + 18,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel"
    },
    xAxis: times === null ? categoryAxis(chart, size, { fit, writes }) : timeAxis(times, x.unit ?? "minute"),
    yAxis: {
      type: "value",
      splitNumber: 5,
      axisLabel: { ...labelLook, formatter: shortNumber },
      splitLine: { lineStyle: { color: look.line } }
    },
    series: series.map((each, place) => ({
      ...(kind === "bar" ? barOf(each, writes) : lineOf(each, place, times)),
      name: placeOf(each.name),
      silent: true,
      emphasis: { disabled: true }
    }))
  }
}
