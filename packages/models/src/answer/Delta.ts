import type { Usage } from "./Usage.js"

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter"

/** How likely a token was, as its natural logarithm. */
export interface TokenLikelihood {
  readonly token: string
  readonly logprob: number
}

/** A token that was written, with the likeliest ones at its place. */
export interface TokenChoice extends TokenLikelihood {
  readonly top: ReadonlyArray<TokenLikelihood>
}

/**
 * A piece of an answer. Reasoning comes before what it leads to. Tool requests are numbered from 0 in order of their
 * start; `ToolArgs` appends to the JSON text of one of them. `Finish` comes once, after all text; `Usage` at most once,
 * anywhere. An answer without a `Finish` broke off.
 */
export type Delta =
  | { readonly _tag: "Text"; readonly text: string; readonly logprobs?: ReadonlyArray<TokenChoice> }
  | { readonly _tag: "Reasoning"; readonly text: string }
  /** Why the model will not answer, in its words. */
  | { readonly _tag: "Refusal"; readonly text: string }
  | { readonly _tag: "ToolStart"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly _tag: "ToolArgs"; readonly index: number; readonly text: string }
  | { readonly _tag: "Usage"; readonly usage: Usage }
  | { readonly _tag: "Finish"; readonly reason: FinishReason }
