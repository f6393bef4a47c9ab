import { type Chart, escapeXml } from "@trunkline/charts"
import { BarChart, LineChart } from "echarts/charts"
import { GridComponent, LegendComponent, TitleComponent } from "echarts/components"
import { init, setPlatformAPI, use } from "echarts/core"
import { SVGRenderer } from "echarts/renderers"
import type { Advances } from "../text/Advances.js"
import { fontStack } from "../text/Fonts.js"
import { makeFit } from "./Fit.js"
import { unguarded } from "./Guarded.js"
import { look, type Size } from "./Look.js"
import { numberOption } from "./NumberOption.js"
import { plotOption } from "./PlotOption.js"

use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

/** Has ECharts lay texts out by these widths; it has one way of measuring for all charts of a thread. */
export const measureBy = (advances: Advances): void =>
  setPlatformAPI({
    measureText: (text, font = "12px") => ({
      width: Number(/([\d.]+)px/.exec(font)?.[1] ?? 12) *
        advances.widthOf(unguarded(text), /\b(?:bold|[6-9]00)\b/.test(font))
    })
  })

const rules = /<style[\s\S]*?<\/style>\n?/g
const tags = /<[a-z][^>]*>/g
const unneeded = / (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g
const family = /font-family:[^;"]*;/
const ids = /\bzr\d+-/g

/**
 * The SVG without what pages need that react to the mouse, with the fonts named once, and with ids that do not tell how
 * many were drawn before. Its title is for those who hear pictures rather than see them.
 */
const tidied = (svg: string, title: string): string =>
  svg.replace(rules, "").replace(
    tags,
    (tag) => tag.replace(unneeded, "").replace(family, "").replace(ids, "chart-")
  ).replace(
    /^<svg[^>]*>/,
    (root) => `${root.slice(0, -1)} role="img" font-family="${fontStack}">\n<title>${escapeXml(title)}</title>`
  )

/** Draws a chart as an SVG, with the names of fonts rather than outlines. */
export const drawSvg = (chart: Chart, size: Size, advances: Advances): string => {
  const fit = makeFit(advances)
  const canvas = init(null, null, { renderer: "svg", ssr: true, width: size.width, height: size.height })
  try {
    canvas.setOption({
      animation: false,
      useUTC: true,
      backgroundColor: look.background,
      textStyle: { fontFamily: fontStack },
      ...(chart.kind === "number" ? numberOption(chart, size, fit) : plotOption(chart, size, fit))
    })
    return tidied(unguarded(canvas.renderToSVGString({ useViewBox: true })), chart.title)
  } finally {
    canvas.dispose()
  }
}
