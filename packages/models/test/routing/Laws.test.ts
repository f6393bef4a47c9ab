import { LanguageModel } from "@trunkline/models"
import { languageModelLaws } from "@trunkline/models/testing"
import { Effect, Layer } from "effect"
import { around } from "./Around.js"

for (const [name, wrap] of Object.entries(around)) {
  const layer = Layer.effect(LanguageModel, Effect.map(LanguageModel, wrap))
  languageModelLaws(name, Layer.provide(layer, LanguageModel.layerScripted()), { model: "core-105b" })
}
