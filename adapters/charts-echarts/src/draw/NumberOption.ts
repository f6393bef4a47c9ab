import { type Chart, describeTrend, formatNumber, type NumberChart } from "@trunkline/charts"
import type { EChartsCoreOption } from "echarts/core"
import { type Caption, captionOption, titleCaptions } from "./Header.js"
import { colours, margin, seriesColours, type Size } from "./Style.js"
import type { TextFit } from "./TextFit.js"

/** Largest size of the SVG of a number. */
const tile = { width: 400, height: { plain: 140, withTrend: 200 } } as const

/** Size of the SVG of a number, which shares a row of a page with others; a PNG has the size of all other charts. */
export const svgSize = (chart: Chart, size: Size): Size => {
  const isNumber = chart.kind === "number" || (chart.kind === "empty" && chart.viz_type === "number")
  if (!isNumber) return size
  const hasTrend = chart.kind === "number" && chart.trend !== undefined
  return {
    ...size,
    width: Math.min(size.width, tile.width),
    height: Math.min(size.height, tile.height[hasTrend ? "withTrend" : "plain"])
  }
}

/** A line without axes, whose last point is marked. */
const sparkline = (values: ReadonlyArray<number | null>, top: number): EChartsCoreOption => ({
  grid: { left: margin + 2, right: margin + 6, top, bottom: margin },
  xAxis: { type: "category", show: false, boundaryGap: false, data: values.map((_, index) => String(index)) },
  yAxis: { type: "value", show: false, scale: true },
  series: [{
    type: "line",
    silent: true,
    connectNulls: false,
    showAllSymbol: true,
    lineStyle: { width: 2, color: seriesColours[0] },
    areaStyle: { color: seriesColours[0], opacity: 0.08, origin: "start" },
    itemStyle: { color: seriesColours[0], borderWidth: 0 },
    symbolSize: 7,
    data: values.map((value, index) => ({ value, symbol: index === values.length - 1 ? "circle" : "none" }))
  }]
})

/** One number with its name, and below it the change against the period before and a line of all periods. */
export const numberOption = (chart: NumberChart, size: Size, fit: TextFit): EChartsCoreOption => {
  const { name, title, trend, value } = chart
  const plain = tile.height[trend === undefined ? "plain" : "withTrend"]
  const scale = Math.min(2, size.height / plain, size.width / tile.width)
  const room = size.width - 2 * margin
  const number = formatNumber(value)
  const maxFontSize = 44 * scale
  const figure = {
    size: Math.min(maxFontSize, maxFontSize * room / fit.width(number, { size: maxFontSize, bold: true })),
    bold: true
  }
  const small = { size: Math.min(13 * scale, 22), bold: false }
  const line = (text: string, top: number): Caption => ({
    text: fit.truncate(text, small, room),
    left: margin,
    top,
    colour: colours.muted,
    ...small
  })
  const change = describeTrend(chart)
  const titles = titleCaptions(title, size, fit)
  const top = Math.max(46 * scale, (titles.at(-1)?.top ?? 0) + 26)
  const under = top + figure.size * 1.15
  const captions = [
    ...titles,
    { text: number, left: margin, top, colour: seriesColours[0], ...figure },
    line(change === null ? name : `${name} · ${change}`, under)
  ]
  return {
    title: captions.map(captionOption),
    ...(trend && sparkline(trend.values, under + small.size + 14))
  }
}
