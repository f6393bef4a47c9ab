import { LlamaCppModel } from "@trunkline/model-llama-cpp"
import { LanguageModel, type ModelRequest } from "@trunkline/models"
import { languageModelLaws } from "@trunkline/models/testing"
import { Effect, Layer } from "effect"
import { describe } from "vitest"
import { hasLlama, load, skippedWithout, withTinyModel } from "./Llama.js"

/** Always the same answer to a request, and one that ends before the context does. */
const steady = Layer.effect(
  LanguageModel,
  Effect.map(LanguageModel, ({ generate, stream }) => {
    const seeded = (request: ModelRequest): ModelRequest => ({
      ...request,
      sampling: { temperature: 1, seed: 7 },
      limits: { maxOutputTokens: 200, ...request.limits }
    })
    return LanguageModel.of({
      generate: (request) => generate(seeded(request)),
      stream: (request) => stream(seeded(request))
    })
  })
)

describe.runIf(hasLlama)(`llama.cpp, ${skippedWithout}`, () => {
  languageModelLaws(
    "llama.cpp",
    withTinyModel(
      {},
      (file) => Layer.provide(steady, LlamaCppModel.layer({ file, load, contextSize: 2_048, maxThreads: 1 }))
    ),
    { model: "core-105b" }
  )
})
