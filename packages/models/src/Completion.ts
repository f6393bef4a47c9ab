import type { ToolRequest } from "./Message.js"

/** Why an answer ended. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter"

/** Tokens taken up. Cached ones are part of the input, those of thinking part of the output. */
export interface Usage {
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/**
 * A piece of an answer. Tool requests are numbered from 0 in order of their start; `ToolArgs` appends to the JSON text
 * of one of them. `Finish` comes once, after all text; `Usage` at most once, anywhere.
 */
export type Delta =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Reasoning"; readonly text: string }
  | { readonly _tag: "ToolStart"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly _tag: "ToolArgs"; readonly index: number; readonly text: string }
  | { readonly _tag: "Usage"; readonly usage: Usage }
  | { readonly _tag: "Finish"; readonly reason: FinishReason }

/** A whole answer. */
export interface Completion {
  readonly text: string
  readonly reasoning: string
  readonly toolRequests: ReadonlyArray<ToolRequest>
  readonly finish: FinishReason
  /** Null when the model does not say. */
  readonly usage: Usage | null
}

/** An answer of which nothing has arrived; one that stays without a `Finish` was cut short. */
export const emptyCompletion: Completion = {
  text: "",
  reasoning: "",
  toolRequests: [],
  finish: "length",
  usage: null
}

/** Adds a piece to what has arrived. */
export const append = (completion: Completion, delta: Delta): Completion => {
  switch (delta._tag) {
    case "Text":
      return { ...completion, text: completion.text + delta.text }
    case "Reasoning":
      return { ...completion, reasoning: completion.reasoning + delta.text }
    case "ToolStart":
      return {
        ...completion,
        toolRequests: [...completion.toolRequests, { id: delta.id, name: delta.name, arguments: "" }]
      }
    case "ToolArgs":
      return {
        ...completion,
        toolRequests: completion.toolRequests.map((request, index) =>
          index === delta.index ? { ...request, arguments: request.arguments + delta.text } : request
        )
      }
    case "Usage":
      return { ...completion, usage: delta.usage }
    case "Finish":
      return { ...completion, finish: delta.reason }
  }
}

/** The pieces that make up an answer; text word by word. */
export const deltasOf = (completion: Completion): ReadonlyArray<Delta> => [
  ...(completion.reasoning === "" ? [] : [{ _tag: "Reasoning", text: completion.reasoning } as const]),
  ...(completion.text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? []).map((text) => ({ _tag: "Text", text }) as const),
  ...completion.toolRequests.flatMap(({ id, name, arguments: text }, index) =>
    [{ _tag: "ToolStart", index, id, name }, { _tag: "ToolArgs", index, text }] as const
  ),
  ...(completion.usage === null ? [] : [{ _tag: "Usage", usage: completion.usage } as const]),
  { _tag: "Finish", reason: completion.finish }
]
