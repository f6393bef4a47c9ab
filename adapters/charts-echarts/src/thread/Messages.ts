import type { Chart, PictureFormat } from "@trunkline/charts"
import { Schema } from "effect"
import type { Size } from "../draw/Look.js"

/** What a thread is asked to draw; a request at a time. */
export interface DrawRequest {
  readonly chart: Chart
  readonly format: PictureFormat
}

/** What a thread answers: a file, why this chart has none, or that drawing broke, by the kind of what broke. */
const Answer = Schema.Union(
  Schema.TaggedStruct("Drawn", { bytes: Schema.Uint8ArrayFromSelf }),
  Schema.TaggedStruct("Unsuitable", { message: Schema.String }),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type Answer = typeof Answer.Type

/** Whether a message of a thread is an answer. */
export const isAnswer = Schema.is(Answer)

const SizeOfCharts = Schema.Struct({ width: Schema.Positive, height: Schema.Positive, scale: Schema.Positive })

/** The size of charts as it arrives in a thread. */
export const sizeIn: (settings: unknown) => Size = Schema.decodeUnknownSync(SizeOfCharts)
