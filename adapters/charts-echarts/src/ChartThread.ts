import type { Chart, ChartSize, ImageFormat } from "@trunkline/charts"
import { type RequestThread, startRequestThread } from "@trunkline/workers"
import { Schema } from "effect"
import type { ResourceLimits } from "node:worker_threads"
import type { Size } from "./draw/Style.js"

/** Request to a thread: one chart at a time. */
export interface RenderRequest {
  readonly chart: Chart
  readonly format: ImageFormat
  readonly size: ChartSize
}

/** Reply of a thread: a file, the reason why this chart has none, or the kind of error that rendering died of. */
const Reply = Schema.Union(
  Schema.TaggedStruct("Rendered", { bytes: Schema.Uint8ArrayFromSelf }),
  Schema.TaggedStruct("Unsuitable", { message: Schema.String }),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type Reply = typeof Reply.Type

const SizeFromUnknown = Schema.Struct({ width: Schema.Positive, height: Schema.Positive, scale: Schema.Positive })

/** Decodes the size of charts in a thread. */
export const decodeSize: (settings: unknown) => Size = Schema.decodeUnknownSync(SizeFromUnknown)

/** A thread that renders one chart at a time. */
export type ChartThread = RequestThread<RenderRequest, Reply>

/** Starts a thread for charts. */
export const startChartThread = (
  entry: URL,
  options: { readonly workerData: unknown; readonly resourceLimits: ResourceLimits }
): ChartThread => startRequestThread(entry, { ...options, name: "charts", decode: Schema.decodeUnknownEither(Reply) })
