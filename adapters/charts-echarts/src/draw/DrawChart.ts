import { Resvg } from "@resvg/resvg-js"
import { type Chart, type ChartSize, escapeXml, type ImageFormat, mapTexts } from "@trunkline/charts"
import { BarChart, LineChart } from "echarts/charts"
import { GridComponent, LegendComponent, TitleComponent } from "echarts/components"
import { init, setPlatformAPI, use } from "echarts/core"
import { SVGRenderer } from "echarts/renderers"
import { Either } from "effect"
import { type Advances, makeAdvances } from "../text/Advances.js"
import { fontFiles, fontStack } from "../text/Fonts.js"
import { drawableChart } from "../text/MissingGlyphs.js"
import { setText } from "../text/SetText.js"
import { scriptsOf } from "../text/Syllables.js"
import { chartOption } from "./ChartOption.js"
import { svgSize } from "./NumberOption.js"
import { colours, type Size, unescapeLabel } from "./Style.js"
import { makeTextFit } from "./TextFit.js"

use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

/** Sets the widths by which ECharts lays out texts, for all charts of this thread. */
const useAdvances = (advances: Advances): void =>
  setPlatformAPI({
    measureText: (text, font = "12px") => ({
      width: Number(/([\d.]+)px/.exec(font)?.[1] ?? 12) *
        advances.widthOf(unescapeLabel(text), /\b(?:bold|[6-9]00)\b/.test(font))
    })
  })

const rules = /<style[\s\S]*?<\/style>\n?/g
const tags = /<[a-z][^>]*>/g
const surplus = / (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g
const family = /font-family:[^;"]*;/
const ids = /\bzr\d+-/g

/**
 * Removes what only interactive pages need from an SVG, names the fonts once, makes ids independent of the charts drawn
 * before, and adds a title for screen readers.
 */
const cleanSvg = (svg: string, title: string): string =>
  svg.replace(rules, "").replace(
    tags,
    (tag) => tag.replace(surplus, "").replace(family, "").replace(ids, "chart-")
  ).replace(
    /^<svg[^>]*>/,
    (root) => `${root.slice(0, -1)} role="img" font-family="${fontStack}">\n<title>${escapeXml(title)}</title>`
  )

/** Draws a chart as an SVG, with text rather than outlines. */
const drawSvg = (chart: Chart, size: Size, advances: Advances): string => {
  const canvas = init(null, null, { renderer: "svg", ssr: true, width: size.width, height: size.height })
  try {
    canvas.setOption({
      animation: false,
      useUTC: true,
      backgroundColor: colours.background,
      textStyle: { fontFamily: fontStack },
      ...chartOption(chart, size, makeTextFit(advances))
    })
    return cleanSvg(unescapeLabel(canvas.renderToSVGString({ useViewBox: true })), chart.title)
  } finally {
    canvas.dispose()
  }
}

/** All texts of a chart. */
const textsOf = (chart: Chart): ReadonlyArray<string> => {
  const texts: Array<string> = []
  mapTexts(chart, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** Characters of numbers, times and truncated texts. */
const commonCharacters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("").concat(
  "−–…"
)

const codePointLabel = (character: number): string => `U+${character.toString(16).toUpperCase().padStart(4, "0")}`

/** Makes a function that draws charts, of one size unless another is asked, which takes tens to hundreds of milliseconds for each. */
export const makeDrawChart = (size: Size) => {
  const advances = makeAdvances()
  useAdvances(advances)

  const drawPng = (chart: Chart, size: Size): Uint8Array => {
    const svg = setText(drawSvg(chart, size, advances), advances)
    const files = [...fontFiles(scriptsOf(textsOf(chart).join("")))]
    const resvg = new Resvg(svg, {
      font: { loadSystemFonts: false, fontFiles: files, defaultFontFamily: "Noto Sans" },
      fitTo: { mode: "zoom", value: size.scale }
    })
    return Uint8Array.from(resvg.render().asPng())
  }

  /** Draws a chart; the left is the reason why the fonts do not suffice for a PNG. */
  return (chart: Chart, format: ImageFormat, sizeOptions: ChartSize = {}): Either.Either<Uint8Array, string> => {
    const dimensions = { ...(format === "svg" ? svgSize(chart, size) : size), ...sizeOptions }
    advances.measureAll([commonCharacters, ...textsOf(chart)])
    if (format === "svg") {
      return Either.right(new TextEncoder().encode(drawSvg(chart, dimensions, advances)))
    }
    const drawable = drawableChart(chart)
    return drawable._tag === "Missing"
      ? Either.left(
        `A text of this chart is in a script that pictures have no font for (${codePointLabel(drawable.character)}); `
          + "a table or an SVG shows it"
      )
      : Either.right(drawPng(drawable.chart, dimensions))
  }
}
