import type { Effort } from "@trunkline/models"

/** Where a model's thoughts are found in its answer. */
export type ReasoningPlace =
  /** In fields of their own, of which both names are read; the one that is chosen is the one to send them back in. */
  | "reasoning_content"
  | "reasoning"
  /** At the beginning of the text, between `<think>` and `</think>`. */
  | "think_tags"
  /** The same, where the prompt itself ends with `<think>`, so that the answer begins inside. */
  | "begun_think_tags"

/** Fields of a request that keep a model from thinking; none where it cannot be kept from it. */
export type NoThinking = Readonly<Record<string, unknown>>

/** What an upstream model can do, and in which of the dialects of this API it wants to be asked. */
export interface Capabilities {
  /** Whether `temperature` and `top_p` are sent; many hosted models that think take neither. Default: true. */
  readonly temperature: boolean
  /** The name of the limit of the output. Default: `max_tokens`, which servers of open models know. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
  /** Whether `top_k` is sent where a request has one; otherwise it is left out. Default: true. */
  readonly topK: boolean
  /** Whether it tells how likely tokens were; a request that asks for it is refused otherwise. Default: true. */
  readonly logprobs: boolean
  /** Whether it sees images; a request with one is refused otherwise, and lists of text are sent as one. Default: true. */
  readonly images: boolean
  /** Whether `seed` is sent; otherwise it is left out. Default: true. */
  readonly seed: boolean
  /** Whether the presence and frequency penalties are sent, where they are not 0; otherwise left out. Default: true. */
  readonly penalties: boolean
  /** Whether `parallel_tool_calls` is sent; otherwise it is left out. Default: true. */
  readonly parallelTools: boolean
  /** Whether `strict` is sent with tools; otherwise it is left out. Default: true. */
  readonly strictTools: boolean
  /**
   * How it is told how hard to think: in `reasoning_effort`, by a switch of its chat template,
   * `chat_template_kwargs.enable_thinking`, or not at all. Default: `reasoning_effort`.
   */
  readonly effort: "reasoning_effort" | "thinking_switch" | "unsaid"
  /**
   * Its own words for efforts in `reasoning_effort`, such as `{ max: "xhigh" }`. Default: our words. `none` is the one
   * for not thinking at all, where `noThinking` says nothing.
   */
  readonly effortWords: Readonly<Partial<Record<Effort | "none", string>>>
  /**
   * The fields that keep it from thinking, such as `{ reasoning: { enabled: false } }`; null where it cannot be kept from
   * it, and nothing is sent. Default: `probe`. What `effort` and `effortWords` say holds then; if that is nothing, the
   * server is asked with `chat_template_kwargs: { enable_thinking: false }`, when it refuses that with
   * `reasoning_effort: "none"`, when it refuses both with neither, and from then on with what it took.
   */
  readonly noThinking: NoThinking | null | "probe"
  /** Where its thoughts come back. Default: `reasoning_content`. */
  readonly reasoningIn: ReasoningPlace
  /** Whether what it had thought is sent back to it with its earlier answers. Default: false. */
  readonly forwardReasoning: boolean
  /** Whether a stream may be asked for its usage, by `stream_options.include_usage`. Default: true. */
  readonly streamUsage: boolean
  /** The role of instructions. Default: `system`. */
  readonly systemRole: "system" | "developer"
  /** Whether it takes a conversation that ends with its own words; one is refused otherwise. Default: true. */
  readonly prefill: boolean
}

const usual: Capabilities = {
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
  systemRole: "system",
  prefill: true
}

/** What differs from the defaults, for all models and for some. */
export interface CapabilityOptions {
  /** Of every model. */
  readonly all?: Partial<Capabilities>
  /** Of single models, by public id; goes before `all`. */
  readonly byModel?: Readonly<Record<string, Partial<Capabilities>>>
}

/** Looks up what a model can do, by its public id. */
export const capabilitiesBy = ({ all, byModel = {} }: CapabilityOptions): (model: string) => Capabilities => {
  const others = { ...usual, ...all }
  const known = new Map(Object.entries(byModel).map(([model, own]) => [model, { ...others, ...own }]))
  return (model) => known.get(model) ?? others
}
