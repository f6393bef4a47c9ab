import { Context, Effect, Either, Encoding, Layer } from "effect"
import { type Chart, ChartError, type ChartRequest } from "./Chart.js"
import { chartOf } from "./ChartOf.js"
import { escapeXml, formatNumber } from "./Format.js"
import { describeTrend } from "./Trend.js"

const pixel = Either.getOrThrow(Encoding.decodeBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=="
))

/** Every text of a chart, title first. */
const textsOf = (chart: Chart): ReadonlyArray<string> => {
  switch (chart.kind) {
    case "empty":
      return [chart.title, chart.message]
    case "number":
      return [chart.title, chart.name, formatNumber(chart.value), describeTrend(chart) ?? ""]
    case "bar":
    case "line":
      return [chart.title, chart.note ?? "", chart.x.name, ...chart.series.map(({ name }) => name), ...chart.x.labels]
  }
}

/** Renders the texts of a chart one per line, or a white pixel. */
const renderInMemory = (chart: Chart, format: ImageFormat, size: ChartSize): Uint8Array => {
  if (format === "png") return pixel
  const lines = textsOf(chart).map((text, line) => `<text y="${(line + 1) * 16}">${escapeXml(text)}</text>`)
  const { height = lines.length * 16 + 8, width = 640 } = size
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${lines.join("")}</svg>`
  )
}

/** File formats of a rendered chart. */
export type ImageFormat = "svg" | "png"

/** Size of a chart, in units of an SVG: pixels where it is shown unscaled. The renderer chooses what is missing. */
export interface ChartSize {
  readonly width?: number
  readonly height?: number
}

/**
 * Renders charts to image files. The chart is what `chartOf` builds; the same request always renders to the same bytes.
 *
 * @example
 * ```ts
 * import { ChartRenderer } from "@trunkline/charts"
 * import { Effect } from "effect"
 *
 * const svg = Effect.flatMap(ChartRenderer, (renderer) =>
 *   renderer.render({
 *     title: "Calls today",
 *     viz_type: "number",
 *     viz_config: {},
 *     table: { columns: [{ name: "calls" }], rows: [[12]] }
 *   }, "svg"))
 * ```
 */
export class ChartRenderer extends Context.Tag("@trunkline/charts/ChartRenderer")<ChartRenderer, {
  /**
   * Renders an image file. An SVG is self-contained: no scripts, no external resources, every text escaped. Fails with
   * `unsuitable` where `chartOf` does, or when a PNG needs glyphs that the renderer lacks; with `busy` when too many
   * charts are being rendered; with `unavailable` when no renderer works. Labels of axes are equally large in charts of any size.
   */
  readonly render: (
    request: ChartRequest,
    format: ImageFormat,
    size?: ChartSize
  ) => Effect.Effect<Uint8Array, ChartError>
}>() {
  /** Fails every request with `unavailable`. */
  static readonly layerNone = Layer.succeed(ChartRenderer, {
    render: () => new ChartError({ kind: "unavailable", message: "No chart renderer is set up" })
  })

  /**
   * For tests: renders an SVG that lists the texts of the chart, and a PNG of one white pixel. Fails with `unsuitable`
   * exactly where `chartOf` does.
   */
  static readonly layerMemory = Layer.succeed(ChartRenderer, {
    render: (request, format, size = {}) => Effect.map(chartOf(request), (chart) => renderInMemory(chart, format, size))
  })
}
