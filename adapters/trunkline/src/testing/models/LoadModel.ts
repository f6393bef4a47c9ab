import { LanguageModel, type ModelRequest } from "@trunkline/models"
import { Effect, Layer } from "effect"
import type { Model } from "../../options/ModelOptions.js"
import { fromPlain } from "../../options/models/PlainModels.js"

/** The layer of a model. Models of providers are loaded when they are needed. */
export const loadModel = async (model: Model): Promise<Layer.Layer<LanguageModel, Error>> =>
  "provider" in model
    ? (await import("../../options/ModelLayer.js")).modelLayer(model)
    : Layer.succeed(LanguageModel, fromPlain(model))

/** Asks a model once, and resolves with its text. */
export const askModel = async (model: Model, request: ModelRequest): Promise<string> => {
  const layer = await loadModel(model)
  const generation = Effect.flatMap(LanguageModel, ({ generate }) => generate(request))
  return (await Effect.runPromise(Effect.provide(generation, layer))).text.trim()
}
