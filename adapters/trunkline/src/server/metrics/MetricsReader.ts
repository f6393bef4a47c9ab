import { Engine } from "@trunkline/engine"
import { Effect } from "effect"
import { watchProcess } from "./ProcessFigures.js"
import { prometheusText } from "./PrometheusText.js"

/** One watch for all engines of the process, from the first reading on. */
let readProcess: (() => void) | undefined

/** Reads the metrics of this process, and the state of the engine, as Prometheus's text. */
export const readMetrics: Effect.Effect<string, never, Engine> = Effect.flatMap(
  Engine,
  ({ measure }) =>
    Effect.map(measure, () => {
      readProcess ??= watchProcess()
      readProcess()
      return prometheusText()
    })
)
