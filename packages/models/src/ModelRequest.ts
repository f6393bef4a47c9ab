import type { Message } from "./Message.js"
import type { Effort } from "./ModelCatalog.js"

/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A tool that the model may ask for. */
export interface ModelTool {
  readonly name: string
  readonly description?: string
  /** Of an object; absent: no arguments. */
  readonly parameters?: JsonSchema
  /** Arguments must obey the schema to the letter. */
  readonly strict?: boolean
}

/** Whether the model may, must or must not ask for tools. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string }

/** The form of the answer's text. */
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

/** How words are chosen; what is absent is the model's own choice. */
export interface Sampling {
  readonly temperature?: number
  /** 0 to 1; 0 leaves the likeliest token only. */
  readonly topP?: number
  /** From 1; absent: all tokens. */
  readonly topK?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  /** The same seed and request give the same answer as far as the model can. */
  readonly seed?: number
}

/** Where an answer ends at the latest. */
export interface Limits {
  /** Tokens, those of thinking included. */
  readonly maxOutputTokens?: number
  /** Texts that end the answer before them. */
  readonly stop?: ReadonlyArray<string>
}

/** The customer on whose behalf a request is made. Circuit breakers, retries and queues isolate tenants by it. */
export interface Origin {
  /** An opaque id of the customer, such as an account's. */
  readonly tenant: string
  /**
   * Id of the tenant's request that this one serves. Model requests that share it, such as those for several choices, count
   * as one. Default: each counts by itself.
   */
  readonly request?: string
}

/** Everything a model needs for one answer, in no provider's words. */
export interface ModelRequest {
  /** A public model id, or another that the embedder's model knows. */
  readonly model: string
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<ModelTool>
  /** Absent: `auto` with tools, `none` without. */
  readonly toolChoice?: ToolChoice
  /** Whether it may ask for several tools at once; models need not heed it. */
  readonly parallelTools?: boolean
  readonly format?: AnswerFormat
  readonly sampling?: Sampling
  readonly limits?: Limits
  /** How hard to think; null: not at all; absent: the model's own choice. */
  readonly effort?: Effort | null
  /** Tell how likely each token was, and so many others beside it (0 to 20); absent: do not. */
  readonly logprobs?: number
  /** Fields that only the model's own provider knows, in its words. They never replace what stands above. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Never sent to a provider. Default: all requests without an origin count as one tenant. */
  readonly origin?: Origin
  /** Set by `withFallbacks` when another route takes over on failure, so that failing beats waiting. Default: false. */
  readonly hasFallback?: boolean
}

/** The tenant of a request; the empty string for requests without an origin. */
export const tenantOf = ({ origin }: ModelRequest): string => origin?.tenant ?? ""

/** Tenants that circuit breakers and retries remember; beyond it, the least recently seen are forgotten. */
export const maxTenants = 1_024
