import { Resvg } from "@resvg/resvg-js"
import type { Chart } from "@trunkline/charts"
import { Either } from "effect"
import { makeDrawChart } from "../src/draw/DrawChart.js"

/** Part of an image, in pixels. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const size = { width: 480, height: 300, scale: 2 }

export const draw = makeDrawChart(size)

/** Region of a title of one line. */
export const titleRegion: Region = { left: 0, top: 0, right: size.width * size.scale, bottom: 84 }

/** PNG of a chart that can be drawn. */
export const pngOf = (chart: Chart): Uint8Array => Either.getOrThrow(draw(chart, "png"))

/** Dark pixels of a PNG, as `x,y` from the corner of the region. */
export const inkIn = (png: Uint8Array, region: Region): ReadonlyArray<readonly [x: number, y: number]> => {
  const view = new DataView(png.buffer, png.byteOffset)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const href = `data:image/png;base64,${Buffer.from(png).toString("base64")}`
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${href}"/></svg>`
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render()
  const ink: Array<readonly [number, number]> = []
  for (let y = region.top; y < region.bottom; y++) {
    for (let x = region.left; x < region.right; x++) {
      if ((pixels[(y * width + x) * 4 + 1] ?? 255) < 128) ink.push([x - region.left, y - region.top])
    }
  }
  return ink
}

/** Left and right edge of what is drawn. */
export const inkExtent = (ink: ReturnType<typeof inkIn>): readonly [left: number, right: number] =>
  ink.reduce(([left, right], [x]) => [Math.min(left, x), Math.max(right, x)], [Infinity, -Infinity])
