import { OpenAiModel } from "@trunkline/model-openai"
import { LanguageModel } from "@trunkline/models"
import { Redacted } from "effect"
import type { Bootstrap } from "./Bootstrap.js"

/** The model of a bootstrap file: the scripted one, or a server that speaks chat completions. */
export const modelOf = (model: Bootstrap["model"]) => {
  if (model.kind === "scripted") return LanguageModel.layerScripted()
  const apiKey = model.api_key_env === undefined ? undefined : process.env[model.api_key_env]
  return OpenAiModel.layer({
    baseUrl: model.base_url,
    models: model.models,
    ...(model.no_thinking !== undefined && { capabilities: { all: { noThinking: model.no_thinking } } }),
    ...(apiKey !== undefined && { apiKey: Redacted.make(apiKey) })
  })
}
