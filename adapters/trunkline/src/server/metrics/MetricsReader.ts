import { Engine } from "@trunkline/engine"
import { describeCause, reasonOfThrown } from "@trunkline/kernel"
import { Cause, Effect } from "effect"
import { watchProcess } from "./ProcessFigures.js"
import { prometheusText } from "./PrometheusText.js"

/** One watch for all engines of the process, from the first reading on. */
let readProcess: (() => void) | undefined

/** Reads the metrics of this process, and the state of the engine, as Prometheus's text. A failure is logged with its reason. */
export const readMetrics: Effect.Effect<string, never, Engine> = Effect.flatMap(
  Engine,
  ({ measure }) =>
    Effect.map(measure, () => {
      readProcess ??= watchProcess()
      readProcess()
      return prometheusText()
    })
).pipe(
  Effect.tapErrorCause((cause) =>
    Effect.logError(`The metrics could not be read: ${reasonOfThrown(Cause.squash(cause))}`, describeCause(cause))
  )
)
