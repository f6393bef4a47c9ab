import { chartOf, ChartRenderer } from "@trunkline/charts"
import { type Duration, Effect, Layer } from "effect"
import { ownEntry } from "./OwnEntry.js"
import { makeDrawings } from "./thread/Drawings.js"
import { startThread } from "./thread/DrawingThread.js"

/** How charts look, and what drawing them may take. */
export interface ChartsEchartsOptions {
  /** The width of an SVG, and of a PNG before it is scaled; 800 when absent. From 320 to 2,400 makes sense. */
  readonly width?: number
  /** The height of the same; 400 when absent. From 200 to 1,600 makes sense. */
  readonly height?: number
  /** How many pixels of a PNG one of these is; 2 when absent, so that a PNG has 1600 by 800. */
  readonly scale?: number
  /**
   * How long a picture may take, waiting included; 15 seconds when absent, as queries have. The first one waits until the
   * thread has loaded what draws, which takes about a second on an idle core.
   */
  readonly limit?: Duration.DurationInput
  /** How many pictures may wait while one is drawn; 32 when absent. */
  readonly waiting?: number
  /** How long the thread stays without work; 30 seconds when absent. */
  readonly idle?: Duration.DurationInput
  /** How large the JavaScript heap of the thread may grow, in megabytes; 192 when absent. */
  readonly heapMegabytes?: number
}

/**
 * Charts by Apache ECharts: SVG, and PNG by resvg with Noto Sans for Latin, Greek, Cyrillic, and the scripts Devanagari,
 * Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and Malayalam. No font of the host is used.
 *
 * A PNG leaves out symbols that these lack, such as emoji, and says so; one whose letters they lack is unsuitable. An
 * SVG keeps every text, and names fonts that its reader may or may not have.
 */
export const ChartsEcharts = {
  /** A `ChartRenderer` that draws in one worker thread, which is there only while there are charts to draw. */
  layer: (
    {
      heapMegabytes = 192,
      height = 400,
      idle = "30 seconds",
      limit = "15 seconds",
      scale = 2,
      waiting = 32,
      width = 800
    }: ChartsEchartsOptions = {}
  ): Layer.Layer<ChartRenderer> =>
    Layer.scoped(
      ChartRenderer,
      Effect.gen(function*() {
        const workerData = { width, height, scale }
        const resourceLimits = { maxOldGenerationSizeMb: heapMegabytes }
        const drawings = yield* makeDrawings({
          start: () => startThread(ownEntry, { workerData, resourceLimits }),
          limit,
          waiting,
          idle
        })
        return {
          render: (picture, format) => Effect.flatMap(chartOf(picture), (chart) => drawings.draw({ chart, format }))
        }
      })
    )
}
