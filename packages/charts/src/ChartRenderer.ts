import { Context, Effect, Layer } from "effect"
import { chartOf } from "./ChartOf.js"
import { drawInMemory } from "./DrawInMemory.js"
import { NoPicture } from "./NoPicture.js"
import type { Picture } from "./Picture.js"

/** The forms that a picture comes in. */
export type PictureFormat = "svg" | "png"

/** Draws charts: what `chartOf` says of a picture, the same bytes for the same picture. */
export class ChartRenderer extends Context.Tag("@trunkline/charts/ChartRenderer")<ChartRenderer, {
  /**
   * The bytes of a file. An SVG stands alone: no scripts, nothing loaded from elsewhere, every text escaped. Fails with
   * `unsuitable` where `chartOf` does, and where a PNG would need letters that its renderer cannot draw; with
   * `busy` when too many are being drawn; with `unavailable` when nobody can draw.
   */
  readonly render: (picture: Picture, format: PictureFormat) => Effect.Effect<Uint8Array, NoPicture>
}>() {
  /** Draws nothing. */
  static readonly layerNone = Layer.succeed(ChartRenderer, {
    render: () => new NoPicture({ kind: "unavailable", message: "No chart renderer is set up" })
  })

  /**
   * For tests of those who use charts: an SVG that lists the texts of the chart, and a PNG that is one white pixel.
   * Suitable and unsuitable are what they are everywhere.
   */
  static readonly layerMemory = Layer.succeed(ChartRenderer, {
    render: (picture, format) => Effect.map(chartOf(picture), (chart) => drawInMemory(chart, format))
  })
}
