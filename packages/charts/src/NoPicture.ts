import { Schema } from "effect"

/** There is no picture of this: nobody can draw here or now, or the table has nothing that can be drawn. */
export class NoPicture extends Schema.TaggedError<NoPicture>()("NoPicture", {
  /**
   * `busy`: too many are being drawn; the same picture succeeds when asked for again in seconds. `unavailable`: nobody
   * draws here, or drawing it broke or took too long. `unsuitable`: the table or its settings do not make a chart, and
   * never will.
   */
  kind: Schema.Literal("busy", "unavailable", "unsuitable"),
  /** A sentence for the person who asked. It names columns, never what is in the rows. */
  message: Schema.String
}) {}

/** The table or its settings do not make a chart. */
export const unsuitable = (message: string): NoPicture => new NoPicture({ kind: "unsuitable", message })
