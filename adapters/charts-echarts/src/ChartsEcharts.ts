import { chartOf, ChartRenderer } from "@trunkline/charts"
import { entryBeside } from "@trunkline/workers"
import { type Duration, Effect, Layer } from "effect"
import { startChartThread } from "./ChartThread.js"
import { makeRenderQueue } from "./RenderQueue.js"

/** Size of charts, and limits on the resources that rendering uses. */
export interface ChartsEchartsOptions {
  /** Width of an SVG, and of a PNG before it is scaled, where a request has none; 800 by default. From 320 to 2,400 makes sense. */
  readonly width?: number
  /** Height, likewise; 400 by default. From 200 to 1,600 makes sense. */
  readonly height?: number
  /** Pixels of a PNG per unit of width and height; 2 by default, so that a PNG has 1600 by 800. */
  readonly scale?: number
  /**
   * Time limit of a chart, including the wait for its turn; 15 seconds by default, like that of queries. The first chart
   * waits until the thread has loaded its modules, about a second on an idle core.
   */
  readonly limit?: Duration.DurationInput
  /** Number of charts that may wait while one is rendered; 32 by default. */
  readonly waiting?: number
  /** Time that the idle thread waits for more work before it ends; 30 seconds by default. */
  readonly idle?: Duration.DurationInput
  /** Limit of the JavaScript heap of the thread, in megabytes; 192 by default. */
  readonly heapMegabytes?: number
}

/**
 * Charts by Apache ECharts: SVG, and PNG by resvg with Noto Sans for Latin, Greek, Cyrillic, and the scripts Devanagari,
 * Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and Malayalam. Fonts of the host are not used.
 *
 * A PNG leaves out symbols that these fonts lack, such as emoji, and says so in a note; a chart with letters that they lack
 * is `unsuitable`. An SVG keeps all text, and names fonts that its viewer may or may not have.
 *
 * @example
 * const png = Effect.flatMap(ChartRenderer, ({ render }) => render(picture, "png")).pipe(
 *   Effect.provide(ChartsEcharts.layer({ width: 640 }))
 * )
 */
export const ChartsEcharts = {
  /** A `ChartRenderer` with one worker thread, which runs only while there are charts to render. */
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
        const queue = yield* makeRenderQueue({
          start: () => startChartThread(entryBeside(import.meta.url, "worker"), { workerData, resourceLimits }),
          limit,
          waiting,
          idle
        })
        return {
          render: (picture, format, size = {}) =>
            Effect.flatMap(chartOf(picture), (chart) => queue.render({ chart, format, size }))
        }
      })
    )
}
