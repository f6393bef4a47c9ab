import type { Message } from "./Message.js"
import type { Effort } from "./ModelCatalog.js"

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

/** Returns the tenant of a request; the empty string for requests without an origin. */
export const tenantOf = ({ origin }: ModelRequest): string => origin?.tenant ?? ""

/** Most tenants in circuit breakers and retries; beyond it, the least recently used are evicted. */
export const maxTenants = 1_024
