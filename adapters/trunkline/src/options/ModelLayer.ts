import { OpenAiModel } from "@trunkline/model-openai"
import { countedModel, countedModelLayer, LanguageModel, modelIds } from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Layer, Redacted } from "effect"
import type { Fields } from "../errors/Fields.js"
import { checkKnown, checkNone, InvalidOption } from "./InvalidOption.js"
import type { Model, OpenAiOptions } from "./ModelOptions.js"
import { customProvider, openAiProvider, scriptedProvider } from "./ModelProviders.js"
import { fromPlain } from "./models/PlainModels.js"

const openAiUrl = "https://api.openai.com/v1"

/** The key of a server, where there is one. */
export const keyOf = (apiKey: string | undefined): { readonly apiKey?: Redacted.Redacted } =>
  apiKey ? { apiKey: Redacted.make(apiKey) } : {}

const openAiOptions: Fields<OpenAiOptions> = {
  apiKey: true,
  baseUrl: true,
  model: true,
  models: true,
  promptCacheKey: true,
  voice: true
}

const openAiLayer = (options: OpenAiOptions) => {
  const { apiKey, baseUrl = openAiUrl, model, models = {}, promptCacheKey, voice } = options
  checkKnown(options, openAiOptions, "model")
  if (voice !== undefined) throw new InvalidOption("model.voice", "is for openai() among voices")
  if (baseUrl === openAiUrl && !apiKey) {
    throw new InvalidOption(
      "model",
      "openai() needs an apiKey: set OPENAI_API_KEY, and pass process.env.OPENAI_API_KEY"
    )
  }
  const modelById = model === undefined ? {} : Object.fromEntries(modelIds.map((id) => [id, model]))
  const upstream = { ...modelById, ...models }
  const layer = OpenAiModel.layer({
    baseUrl,
    models: upstream,
    capabilities: { all: { promptCacheKey: promptCacheKey ?? baseUrl === openAiUrl } },
    ...keyOf(apiKey)
  })
  return countedModelLayer(layer, openAiProvider(baseUrl, upstream))
}

/** The layer of a model. Throws `InvalidOption`. */
export const modelLayer = (model: Model): Layer.Layer<LanguageModel, Error> => {
  if ("provider" in model) {
    switch (model.provider) {
      case "openai":
        return openAiLayer(model.options ?? {})
      case "scripted":
        checkNone(model.options, { at: "model", provider: "scripted" })
        return countedModelLayer(ScriptedModel.layer(), scriptedProvider)
      default:
        throw new InvalidOption("model", `there is no provider "${String(Reflect.get(model, "provider"))}"`)
    }
  }
  if (model.generate === undefined && model.stream === undefined) {
    throw new InvalidOption("model", "a model needs the method generate or stream")
  }
  return Layer.succeed(LanguageModel, countedModel(fromPlain(model), customProvider))
}
