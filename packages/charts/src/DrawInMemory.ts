import { Either, Encoding } from "effect"
import type { Chart } from "./Chart.js"
import type { PictureFormat } from "./ChartRenderer.js"
import { fullNumber } from "./Numbers.js"
import { escapeXml } from "./PlainText.js"

const pixel = Either.getOrThrow(Encoding.decodeBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=="
))

/** All texts of a chart, from its title on. */
const textsOf = (chart: Chart): ReadonlyArray<string> =>
  chart.kind === "number"
    ? [chart.title, chart.name, fullNumber(chart.value)]
    : [chart.title, chart.note ?? "", chart.x.name, ...chart.series.map(({ name }) => name), ...chart.x.labels]

/** The least that is a picture: its texts, one under the other, or a white pixel. */
export const drawInMemory = (chart: Chart, format: PictureFormat): Uint8Array => {
  if (format === "png") return pixel
  const lines = textsOf(chart).map((text, line) => `<text y="${(line + 1) * 16}">${escapeXml(text)}</text>`)
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="${lines.length * 16 + 8}">${lines.join("")}</svg>`
  )
}
