import { modelProviderOf } from "@trunkline/model-openai"
import type { ModelProvider } from "@trunkline/models"

/** The scripted model, as prices name it. */
export const scriptedProvider: ModelProvider = { provider: "scripted", modelOf: (model) => model }

/** A model of the host, as prices name it. */
export const customProvider: ModelProvider = { provider: "custom", modelOf: (model) => model }

/** A server that speaks OpenAI's chat completions, as prices name it, and its own names of models. */
export const openAiProvider = (baseUrl: string, models: Readonly<Record<string, string>>): ModelProvider => ({
  provider: modelProviderOf(baseUrl),
  modelOf: (model) => (Object.hasOwn(models, model) ? models[model] : undefined) ?? model
})
