import type { PlotChart } from "@trunkline/charts"
import { colours, escapeLabel, fontSizes, margin, type Size } from "./Style.js"
import type { TextFit } from "./TextFit.js"

/** A text at a position. */
export interface Caption {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly size: number
  readonly bold: boolean
  readonly colour: string
}

/** A caption as a title of ECharts. */
export const captionOption = ({ bold, colour, left, size, text, top }: Caption) => ({
  text: escapeLabel(text),
  left,
  top,
  padding: 0,
  textStyle: { fontSize: size, fontWeight: bold ? 700 : 400, color: colour }
})

/** Content above the axes. */
export interface Header {
  readonly captions: ReadonlyArray<Caption>
  /** Rows of the legend, with the names of series; none for a single series. */
  readonly legend: ReadonlyArray<{ readonly top: number; readonly names: ReadonlyArray<string> }>
  /** Vertical position of the end. */
  readonly bottom: number
}

const titleLine = 24
const smallLine = 19

/** Lines of a title. */
export const titleCaptions = (title: string, size: Size, fit: TextFit): ReadonlyArray<Caption> => {
  const room = { width: size.width - 2 * margin, lines: 2 }
  const font = { size: fontSizes.title, bold: true }
  const lines = title === "" ? [] : fit.wrap(title, font, room)
  return lines.map((text, line) => ({
    ...font,
    text,
    left: margin,
    top: margin - 4 + line * titleLine,
    colour: colours.text
  }))
}

const legendWidth = 240

/** A name in the legend, truncated in the middle. */
export const legendName = (name: string, fit: TextFit): string =>
  fit.truncateMiddle(name, { size: fontSizes.label }, legendWidth)

/** Width of a name in a row: its colour, itself, and the gap to the next. */
const legendItemWidth = (name: string, fit: TextFit): number =>
  fit.width(legendName(name, fit), { size: fontSizes.label }) + 22 + legendGap

/** Gap between two names of the legend. */
export const legendGap = 18

const legendRows = (names: ReadonlyArray<string>, size: Size, fit: TextFit): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let left = 0
  for (const name of names) {
    const width = legendItemWidth(name, fit)
    const row = rows.at(-1)
    if (row === undefined || left + width > size.width - 2 * margin + legendGap) {
      rows.push([name])
      left = width
    } else {
      row.push(name)
      left += width
    }
  }
  return rows
}

/** Lays out title, note, and the names of the series: a legend of several, or the name of a single one. */
export const headerOf = (chart: PlotChart, size: Size, fit: TextFit): Header => {
  const title = titleCaptions(chart.title, size, fit)
  const small = { left: margin, size: fontSizes.note, bold: false, colour: colours.muted }
  const truncate = (text: string) => fit.truncate(text, { size: fontSizes.note }, size.width - 2 * margin)
  let bottom = margin - 4 + title.length * titleLine
  const captions = [...title]
  const add = (text: string) => {
    captions.push({ ...small, text: truncate(text), top: bottom + 2 })
    bottom += smallLine
  }
  if (chart.note !== null) add(chart.note)
  const names = chart.series.map(({ name }) => name)
  if (names.length === 1) {
    add(names[0] ?? "")
    return { captions, legend: [], bottom: bottom + 8 }
  }
  const legend = legendRows(names, size, fit).map((row, index) => ({ names: row, top: bottom + 4 + index * 20 }))
  return { captions, legend, bottom: bottom + legend.length * 20 + 12 }
}
