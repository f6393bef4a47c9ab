import { LlamaCppModel, LlamaCppTokens } from "@trunkline/model-llama-cpp"
import { type Completion, LanguageModel, type ModelRequest, type ModelTool } from "@trunkline/models"
import { Array, Effect, Stream } from "effect"
import { jsonGrammar } from "../src/grammar/JsonGrammar.js"
import { makeMatcher } from "./Gbnf.js"
import { chatMl, load } from "./Llama.js"

export const chat = { contextLength: 16_384, template: chatMl }

export const loaded = (options: Partial<LlamaCppModel.Options> = {}) => (file: string) =>
  LlamaCppModel.layer({ file, load, maxThreads: 1, contextSize: 2_048, ...options })

export const counting = (file: string) => LlamaCppTokens.layer({ file, load })

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "core-105b",
  messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "What is the rain in Pune like?" }],
  limits: { maxOutputTokens: 60 },
  ...more
})

export const seeded = (seed: number) => ({ temperature: 1, seed })

export const ask = (more: Partial<ModelRequest> = {}) =>
  Effect.flatMap(LanguageModel, ({ generate }) => generate(request({ sampling: seeded(1), ...more })))

export const stream = (more: Partial<ModelRequest> = {}) =>
  Stream.unwrap(Effect.map(LanguageModel, ({ stream }) => stream(request({ sampling: seeded(1), ...more }))))

export const seeds = Array.range(1, 12)

export const unlimited = { maxOutputTokens: 1_000 }

export const usageOf = ({ usage }: Completion) =>
  usage ?? { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 }

export const weather: ModelTool = {
  name: "get_weather",
  description: "Tells the weather.",
  strict: true,
  parameters: {
    type: "object",
    properties: {
      city: { enum: ["Pune", "Delhi"] },
      days: { type: "integer", minimum: 1, maximum: 9 },
      unit: { anyOf: [{ const: "C" }, { type: "null" }] }
    },
    required: ["city", "days"],
    additionalProperties: false
  }
}

export const isWeather = makeMatcher(jsonGrammar(weather.parameters).text)

export const live = { excludeTestServices: true }
