import { bounded, breaking, type Model, queued, retrying, withFallbacks } from "@trunkline/models"
import { fails, fakeModel } from "@trunkline/models/testing"
import { failed } from "./Failures.js"

const bounds = { firstToken: "1 minute", betweenTokens: "1 minute", total: "1 hour" } as const

const queue = { concurrency: 1, waiting: 10, patience: "1 minute" } as const

const steady = (model: Model): Model => breaking(queued(retrying(bounded(model, bounds)), queue))

/** Everything that can be put around a model. */
export const around: Readonly<Record<string, (model: Model) => Model>> = {
  retrying: (model) => retrying(model),
  breaking: (model) => breaking(model),
  queued: (model) => queued(model, queue),
  bounded: (model) => bounded(model, bounds),
  "with fallbacks": (model) => withFallbacks([{ name: "one", model }], { commitPoint: "firstDelta" }),
  "with fallbacks, complete": (model) => withFallbacks([{ name: "one", model }], { commitPoint: "complete" }),
  "as a fallback": (model) =>
    withFallbacks(
      [{ name: "down", model: fakeModel([[fails(failed)]]) }, { name: "one", model }],
      { commitPoint: "firstDelta" }
    ),
  "all of it": (model) =>
    withFallbacks([{ name: "one", model: steady(model) }, { name: "two", model: steady(model) }], {
      commitPoint: "firstDelta"
    })
}
