import { ModelFailed } from "@trunkline/errors"
import {
  LanguageModel,
  type Model,
  withCircuitBreakers,
  withFallbacks,
  withQueue,
  withRetries,
  withTimeouts
} from "@trunkline/models"
import { fails, fakeModel, languageModelLaws } from "@trunkline/models/testing"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Effect, Layer } from "effect"

const bounds = { firstToken: "1 minute", betweenTokens: "1 minute", total: "1 hour" } as const

const queue = { concurrency: 1, waiting: 10, timeout: "1 minute" } as const

const steady = (model: Model): Model => withCircuitBreakers(withQueue(withRetries(withTimeouts(model, bounds)), queue))

const down = fakeModel([[fails(new ModelFailed({ message: "status 500" }))]])

const wrappers: Readonly<Record<string, (model: Model) => Model>> = {
  retries: (model) => withRetries(model),
  "circuit breakers": (model) => withCircuitBreakers(model),
  "a queue": (model) => withQueue(model, queue),
  timeouts: (model) => withTimeouts(model, bounds),
  fallbacks: (model) => withFallbacks([{ name: "one", model }], { commitPoint: "firstDelta" }),
  "fallbacks that commit to whole answers": (model) =>
    withFallbacks([{ name: "one", model }], { commitPoint: "complete" }),
  "a failed route before it": (model) =>
    withFallbacks([{ name: "down", model: down }, { name: "one", model }], { commitPoint: "firstDelta" }),
  "all of them": (model) =>
    withFallbacks([{ name: "one", model: steady(model) }, { name: "two", model: steady(model) }], {
      commitPoint: "firstDelta"
    })
}

for (const [name, wrap] of Object.entries(wrappers)) {
  const layer = Layer.effect(LanguageModel, Effect.map(LanguageModel, wrap))
  languageModelLaws(`the scripted model with ${name}`, Layer.provide(layer, ScriptedModel.layer()), {
    model: "core-105b"
  })
}
