import { Context, Effect, Layer, Schema } from "effect"
import type { Picture } from "./Chart.js"

/** There is no picture of this: nobody can draw here, or the table has nothing that can be drawn. */
export class NoPicture extends Schema.TaggedError<NoPicture>()("NoPicture", {
  /** `unavailable`: nobody draws here. `unsuitable`: the table or its settings do not make a chart. */
  kind: Schema.Literal("unavailable", "unsuitable"),
  message: Schema.String
}) {}

/** The forms that a picture comes in. */
export type PictureFormat = "svg" | "png"

/** Draws charts. */
export class ChartRenderer extends Context.Tag("@trunkline/charts/ChartRenderer")<ChartRenderer, {
  /** The bytes of a file. */
  readonly render: (picture: Picture, format: PictureFormat) => Effect.Effect<Uint8Array, NoPicture>
}>() {
  /** Draws nothing. */
  static readonly layerNone = Layer.succeed(ChartRenderer, {
    render: () => new NoPicture({ kind: "unavailable", message: "No chart renderer is set up" })
  })
}
