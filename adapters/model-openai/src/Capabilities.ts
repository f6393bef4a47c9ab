import type { Effort } from "@trunkline/models"

/** Location of a model's thoughts in its answer. */
export type ReasoningPlace =
  /** A field of its own. Both names are read; the chosen one is used to send thoughts back. */
  | "reasoning_content"
  | "reasoning"
  /** The beginning of the text, between `<think>` and `</think>`. */
  | "think_tags"
  /** The same, but the prompt ends with `<think>`, so that the answer starts inside. */
  | "begun_think_tags"

/** Request fields that disable thinking; empty if it cannot be disabled. */
export type NoThinking = Readonly<Record<string, unknown>>

/** Capabilities of an upstream model, and its dialect of the chat completions API. */
export interface Capabilities {
  /** Sends `temperature` and `top_p`; many hosted reasoning models accept neither. Default: true. */
  readonly temperature: boolean
  /** Name of the field for the output limit. Default: `max_tokens`, which servers for open models know. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** Sends `top_k`; otherwise it is dropped. Default: true. */
  readonly topK: boolean
  /** Supports logprobs; otherwise requests for them are rejected. Default: true. */
  readonly logprobs: boolean
  /** Supports images; otherwise requests with images are rejected, and text parts are joined. Default: true. */
  readonly images: boolean
  /** Sends `seed`; otherwise it is dropped. Default: true. */
  readonly seed: boolean
  /** Sends presence and frequency penalties other than 0; otherwise they are dropped. Default: true. */
  readonly penalties: boolean
  /** Sends `parallel_tool_calls`; otherwise it is dropped. Default: true. */
  readonly parallelTools: boolean
  /** Sends `strict` with tools; otherwise it is dropped. Default: true. */
  readonly strictTools: boolean
  /**
   * Field for the reasoning effort: `reasoning_effort`, the chat template switch
   * `chat_template_kwargs.enable_thinking`, or none. Default: `reasoning_effort`.
   */
  readonly effort: "reasoning_effort" | "thinking_switch" | "unsaid"
  /**
   * Values of `reasoning_effort` that differ from ours, such as `{ max: "xhigh" }`. `none` disables thinking, unless
   * `noThinking` says how.
   */
  readonly effortWords: Readonly<Partial<Record<Effort | "none", string>>>
  /**
   * Fields that disable thinking, such as `{ reasoning: { enabled: false } }`; null if it cannot be disabled, and
   * nothing is sent. Default: `probe`, which uses what `effort` and `effortWords` say. If they say nothing, it tries
   * `chat_template_kwargs: { enable_thinking: false }`, then `reasoning_effort: "none"`, then no field, and keeps to
   * the first one that the server accepts.
   */
  readonly noThinking: NoThinking | null | "probe"
  /** Location of its thoughts. Default: `reasoning_content`. */
  readonly reasoningIn: ReasoningPlace
  /** Sends its thoughts back with its earlier answers. Default: false. */
  readonly forwardReasoning: boolean
  /** Requests the usage of streams with `stream_options.include_usage`. Default: true. */
  readonly streamUsage: boolean
  /** Sends `prompt_cache_key` with the name that requests with the same beginning share; otherwise it is dropped. Default: false. */
  readonly promptCacheKey: boolean
  /** Role of instructions. Default: `system`. */
  readonly systemRole: "system" | "developer"
  /** Continues a conversation that ends with its own text; otherwise such a request is rejected. Default: true. */
  readonly prefill: boolean
}

const defaults: Capabilities = {
  temperature: true,
  maxTokensField: "max_tokens",
  topK: true,
  logprobs: true,
  images: true,
  seed: true,
  penalties: true,
  parallelTools: true,
  strictTools: true,
  effort: "reasoning_effort",
  effortWords: {},
  noThinking: "probe",
  reasoningIn: "reasoning_content",
  forwardReasoning: false,
  streamUsage: true,
  promptCacheKey: false,
  systemRole: "system",
  prefill: true
}

/** Differences from the default capabilities, for all models and for some. */
export interface CapabilityOptions {
  /** For every model. */
  readonly all?: Partial<Capabilities>
  /** For single models, by public id; overrides `all`. */
  readonly byModel?: Readonly<Record<string, Partial<Capabilities>>>
}

/** Makes a lookup of capabilities by public model id. */
export const capabilitiesBy = ({ all, byModel = {} }: CapabilityOptions): (model: string) => Capabilities => {
  const others = { ...defaults, ...all }
  const table = new Map(Object.entries(byModel).map(([model, changes]) => [model, { ...others, ...changes }]))
  return (model) => table.get(model) ?? others
}
