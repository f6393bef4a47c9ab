import type { Completion, Delta, ModelRequest } from "../generated/Models.js"

/** A language model as an object with asynchronous methods: `generate`, `stream`, or both. */
export interface PlainModel {
  /** Answers a request: with a text, or with those parts of a completion that it has. */
  readonly generate?: (request: ModelRequest, call: ModelCall) => Promise<string | Partial<Completion>>
  /** Answers a request piece by piece: texts, or deltas. */
  readonly stream?: (request: ModelRequest, call: ModelCall) => AsyncIterable<string | Delta>
}

/** A call of a language model. */
export interface ModelCall {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** A server that speaks OpenAI's chat completions. */
export interface OpenAiOptions {
  /** Sent as `Authorization: Bearer`; required by OpenAI. */
  readonly apiKey?: string | undefined
  /** URL that `/chat/completions` is appended to; `https://api.openai.com/v1` by default. */
  readonly baseUrl?: string
  /** The server's model for every model of Trunkline, such as `gpt-4o-mini`. */
  readonly model?: string
  /** The server's models by those of Trunkline; takes precedence over `model`. */
  readonly models?: Readonly<Record<string, string>>
  /**
   * Sends the name of the agent as `prompt_cache_key`, by which the server finds the cached beginning of prompts. By default only
   * to OpenAI, as other servers may reject it.
   */
  readonly promptCacheKey?: boolean
  /** Voice such as `coral`, for `openai` among `voices`. */
  readonly voice?: string
}

/** Options of a provider that has none. */
export type NoOptions = Readonly<Record<string, never>>

/** A part of OpenAI, or of a server that speaks its protocol: the result of `openai`. */
export interface ProvidedOpenAi {
  readonly provider: "openai"
  readonly options: OpenAiOptions
}

/** A language model by its provider: the result of `openai` or `scripted`. */
export type ProvidedModel =
  | ProvidedOpenAi
  | { readonly provider: "scripted"; readonly options?: NoOptions }

/** A language model. */
export type Model = ProvidedModel | PlainModel

/**
 * A server that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, LiteLLM and others. Among `voices` it is OpenAI's
 * `gpt-4o-mini-tts`, and as `transcriber` its realtime transcription.
 */
export const openai = (options: OpenAiOptions): ProvidedOpenAi => ({ provider: "openai", options })

/** The scripted model, which answers from the agent's script and needs no network: for tests and demos. */
export const scripted = (options: NoOptions = {}): ProvidedModel => ({ provider: "scripted", options })
