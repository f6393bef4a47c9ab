import type { PlotChart } from "@trunkline/charts"
import type { Fit } from "./Fit.js"
import { fontSizes, look, margin, type Size } from "./Look.js"

/** A text at a place. */
export interface Caption {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly size: number
  readonly bold: boolean
  readonly colour: string
}

/** What stands above the axes. */
export interface Header {
  readonly captions: ReadonlyArray<Caption>
  /** The names of the series in the rows of the legend, with where those stand; none for a single series. */
  readonly legend: ReadonlyArray<{ readonly top: number; readonly names: ReadonlyArray<string> }>
  /** Where it ends. */
  readonly bottom: number
}

const titleLine = 24
const smallLine = 19

/** The lines of a title. */
export const titleCaptions = (title: string, size: Size, fit: Fit): ReadonlyArray<Caption> => {
  const room = { width: size.width - 2 * margin, lines: 2 }
  const font = { size: fontSizes.title, bold: true }
  const lines = title === "" ? [] : fit.wrap(title, font, room)
  return lines.map((text, line) => ({
    ...font,
    text,
    left: margin,
    top: margin - 4 + line * titleLine,
    colour: look.text
  }))
}

const legendWidth = 240

/** A name as the legend shows it, cut in the middle where it is long. */
export const legendName = (name: string, fit: Fit): string =>
  fit.cutMiddle(name, { size: fontSizes.label }, legendWidth)

/** What a name takes of a row: its colour, itself, and the gap to the next. */
const legendItem = (name: string, fit: Fit): number =>
  fit.width(legendName(name, fit), { size: fontSizes.label }) + 22 + legendGap

/** Between two names of the legend. */
export const legendGap = 18

const legendRows = (names: ReadonlyArray<string>, size: Size, fit: Fit): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let left = 0
  for (const name of names) {
    const width = legendItem(name, fit)
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

/** Title, note, and the names of what is drawn: a legend of several series, or the name of the one. */
export const headerOf = (chart: PlotChart, size: Size, fit: Fit): Header => {
  const title = titleCaptions(chart.title, size, fit)
  const small = { left: margin, size: fontSizes.note, bold: false, colour: look.quiet }
  const cut = (text: string) => fit.cut(text, { size: fontSizes.note }, size.width - 2 * margin)
  let bottom = margin - 4 + title.length * titleLine
  const captions = [...title]
  const add = (text: string) => {
    captions.push({ ...small, text: cut(text), top: bottom + 2 })
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
