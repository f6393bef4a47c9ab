import { type Model, withCircuitBreakers, withFallbacks, withQueue, withRetries, withTimeouts } from "@trunkline/models"
import { fails, fakeModel } from "@trunkline/models/testing"
import { failed } from "./Failures.js"

const bounds = { firstToken: "1 minute", betweenTokens: "1 minute", total: "1 hour" } as const

const queue = { concurrency: 1, waiting: 10, timeout: "1 minute" } as const

const steady = (model: Model): Model => withCircuitBreakers(withQueue(withRetries(withTimeouts(model, bounds)), queue))

/** Everything that can be put around a model. */
export const around: Readonly<Record<string, (model: Model) => Model>> = {
  withRetries: (model) => withRetries(model),
  withCircuitBreakers: (model) => withCircuitBreakers(model),
  withQueue: (model) => withQueue(model, queue),
  withTimeouts: (model) => withTimeouts(model, bounds),
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
