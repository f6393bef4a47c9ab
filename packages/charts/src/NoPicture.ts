import { Schema } from "effect"

/** There is no picture of this: nobody can draw here, or the table has nothing that can be drawn. */
export class NoPicture extends Schema.TaggedError<NoPicture>()("NoPicture", {
  /**
   * `unavailable`: nobody draws here, or not now; the same picture may succeed later. `unsuitable`: the table or its
   * settings do not make a chart, and never will.
   */
  kind: Schema.Literal("unavailable", "unsuitable"),
  /** A sentence for the person who asked. It names columns, never what is in the rows. */
  message: Schema.String
}) {}

/** The table or its settings do not make a chart. */
export const unsuitable = (message: string): NoPicture => new NoPicture({ kind: "unsuitable", message })
