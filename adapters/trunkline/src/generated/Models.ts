// Written by docs/types.mjs from packages/models. Do not edit.

/** Tokens used. Cached tokens are part of the input, thinking tokens part of the output. */
export interface Usage {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  /** Tokens of sound: parts of the input and of the output. Absent: none. */
  readonly audioInputTokens?: number
  readonly audioOutputTokens?: number
}

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter"

/** Probability of a token, as its natural logarithm. */
export interface TokenLikelihood {
  readonly token: string
  readonly logprob: number
}

/** A token of the answer, with the most likely tokens at its position. */
export interface TokenChoice extends TokenLikelihood {
  readonly top: ReadonlyArray<TokenLikelihood>
}

/**
 * A part of a streamed answer. Reasoning comes before the text. Tool requests are numbered from 0 in order of their
 * start; `ToolArgs` appends to the JSON text of one of them. `Finish` comes once, after all text; `Usage` at most once,
 * anywhere. An answer without `Finish` is incomplete.
 */
export type Delta =
  | { readonly _tag: "Text"; readonly text: string; readonly logprobs?: ReadonlyArray<TokenChoice> }
  | { readonly _tag: "Reasoning"; readonly text: string }
  /** The model's explanation of why it does not answer. */
  | { readonly _tag: "Refusal"; readonly text: string }
  | { readonly _tag: "ToolStart"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly _tag: "ToolArgs"; readonly index: number; readonly text: string }
  | { readonly _tag: "Usage"; readonly usage: Usage }
  | { readonly _tag: "Finish"; readonly reason: FinishReason }

/** A complete answer: texts, usage and `Finish`. */
export interface Completion {
  readonly text: string
  readonly reasoning: string
  /** The model's explanation of why it does not answer; null if it answers. */
  readonly refusal: string | null
  readonly toolRequests: ReadonlyArray<ToolRequest>
  readonly finish: FinishReason
  /** Null if the model does not report it. */
  readonly usage: Usage | null
  /** Tokens of the text; empty unless requested. */
  readonly logprobs: ReadonlyArray<TokenChoice>
}

/** Gathers an answer, without a copy of it for every delta. */
export interface CompletionGatherer {
  readonly append: (delta: Delta) => void
  /** Everything that was appended. */
  readonly completion: () => Completion
}

/** A part of a user's message or a tool's result. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image"
    /** Such as `image/png`. */
    readonly mediaType: string
    readonly base64: string
    readonly detail?: "auto" | "low" | "high"
  }

/** Text, or text and images. */
export type Content = string | ReadonlyArray<ContentPart>

/** A tool call of the model; `arguments` is JSON text exactly as the model wrote it. */
export interface ToolRequest {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** A message of a conversation. `other` is for roles that only the model knows. */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: Content; readonly name?: string }
  | {
    readonly role: "assistant"
    readonly content: string | null
    readonly toolRequests: ReadonlyArray<ToolRequest>
    /** The thoughts that led to it. */
    readonly reasoning?: string
    readonly name?: string
  }
  /** `name` is the tool's; empty if unknown. */
  | { readonly role: "tool"; readonly toolRequestId: string; readonly name: string; readonly content: Content }
  | { readonly role: "other"; readonly as: string; readonly content: Content; readonly name?: string }

/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A tool that the model may call. */
export interface ModelTool {
  readonly name: string
  readonly description?: string
  /** Schema of the arguments object. Default: no arguments. */
  readonly parameters?: JsonSchema
  /** Arguments must obey the schema strictly. */
  readonly strict?: boolean
}

/** Permission to call tools: optional, forbidden, required, or one tool that must be called. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string }

/** Format of the text of the answer. */
export type AnswerFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
    readonly type: "schema"
    readonly name: string
    readonly description?: string
    readonly schema: JsonSchema
    readonly strict: boolean
  }

/** Sampling parameters; absent ones are the model's defaults. */
export interface Sampling {
  readonly temperature?: number
  /** 0 to 1; 0 leaves only the most likely token. */
  readonly topP?: number
  /** From 1; absent: all tokens. */
  readonly topK?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** The same seed and request give the same answer as far as the model can. */
  readonly seed?: number
}

/** Limits of an answer. */
export interface OutputLimits {
  /** Output tokens, including thinking. */
  readonly maxOutputTokens?: number
  /** Stop sequences: the answer ends before the first of them. */
  readonly stop?: ReadonlyArray<string>
}

/** The customer on whose behalf a request is made. Circuit breakers, retries and queues isolate tenants by it. */
export interface Origin {
  /** Opaque id of the customer, such as an account id. */
  readonly tenant: string
  /**
   * Id of the tenant's request that this one serves. Model requests that share it, such as those for several choices,
   * count as one. Default: each counts by itself.
   */
  readonly request?: string
  /** Id of the call that it serves, for a model that hears the call itself. Default: none. */
  readonly call?: string
}

/** A request for one answer, independent of any provider. */
export interface ModelRequest {
  /** A public model id, or another id that the model knows. */
  readonly model: string
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<ModelTool>
  /** Absent: `auto` with tools, `none` without. */
  readonly toolChoice?: ToolChoice
  /** Allows several tool calls at once; models may ignore it. */
  readonly parallelTools?: boolean
  readonly format?: AnswerFormat
  readonly sampling?: Sampling
  readonly limits?: OutputLimits
  /** Reasoning effort; null disables thinking. Default: the model's choice. */
  readonly effort?: Effort | null
  /** Requests logprobs, with so many alternatives per token (0 to 20). Default: none. */
  readonly logprobs?: number
  /** Name that requests with the same beginning share, for providers that find cached prompts by it. Default: none. */
  readonly cacheKey?: string
  /** Provider-specific fields. They never replace the fields above. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Never sent to a provider. Default: all requests without an origin count as one tenant. */
  readonly origin?: Origin
  /** Set by `withFallbacks` when another route takes over on failure, so that failing beats waiting. Default: false. */
  readonly hasFallback?: boolean
}

/** Reasoning effort. */
export type Effort = "low" | "medium" | "high" | "max"
