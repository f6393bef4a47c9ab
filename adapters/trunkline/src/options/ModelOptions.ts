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
}

/** Options of a provider that has none. */
export type NoOptions = Readonly<Record<string, never>>

/** A language model by its provider: the result of `openai` or `scripted`. */
export type ProvidedModel =
  | { readonly provider: "openai"; readonly options: OpenAiOptions }
  | { readonly provider: "scripted"; readonly options?: NoOptions }

/** A language model. */
export type Model = ProvidedModel | PlainModel

/** A server that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, LiteLLM and others. */
export const openai = (options: OpenAiOptions): ProvidedModel => ({ provider: "openai", options })

/** The scripted model, which answers from the agent's script and needs no network: for tests and demos. */
export const scripted = (options: NoOptions = {}): ProvidedModel => ({ provider: "scripted", options })
