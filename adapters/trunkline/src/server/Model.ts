import { modelProviderOf, OpenAiModel } from "@trunkline/model-openai"
import { countedModelLayer, type RetryPolicy } from "@trunkline/models"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Duration, Redacted } from "effect"
import { openAiProvider, scriptedProvider } from "../options/ModelProviders.js"
import type { ServerConfig } from "./ServerConfig.js"

type OpenAiCompatible = Extract<ServerConfig["model"], { readonly kind: "openai-compatible" }>

/** Converts the retries of a configuration file. Fields that are absent keep the library's defaults. */
export const retriesOf = ({ retries }: OpenAiCompatible): RetryPolicy => {
  const { attempts, budget_seconds, first_pause_seconds } = retries
  return {
    ...(attempts !== undefined && { attempts }),
    ...(first_pause_seconds !== undefined && { initialDelay: Duration.seconds(first_pause_seconds) }),
    ...(budget_seconds !== undefined && { budget: Duration.seconds(budget_seconds) })
  }
}

/** The model of a configuration file: the scripted one, or a server that speaks chat completions. */
export const modelOf = (model: ServerConfig["model"]) => {
  if (model.kind === "scripted") return countedModelLayer(ScriptedModel.layer(), scriptedProvider)
  const apiKey = model.api_key_env === undefined ? undefined : process.env[model.api_key_env]
  const { base_url: baseUrl, models, no_thinking, prompt_cache_key } = model
  const layer = OpenAiModel.layer({
    baseUrl,
    models,
    retries: retriesOf(model),
    capabilities: {
      all: {
        promptCacheKey: prompt_cache_key ?? modelProviderOf(baseUrl) === "openai",
        ...(no_thinking !== undefined && { noThinking: no_thinking })
      }
    },
    ...(apiKey !== undefined && { apiKey: Redacted.make(apiKey) })
  })
  return countedModelLayer(layer, openAiProvider(baseUrl, models))
}
