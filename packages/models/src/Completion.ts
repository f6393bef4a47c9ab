import type { ToolRequest } from "./Message.js"

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

/** Length of the text in a delta, in UTF-16 units. */
export const deltaLength = (delta: Delta): number => {
  switch (delta._tag) {
    case "Text":
    case "Reasoning":
    case "Refusal":
    case "ToolArgs":
      return delta.text.length
    case "ToolStart":
      return delta.id.length + delta.name.length
    default:
      return 0
  }
}

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

/** The empty answer, to append deltas to; without a `Finish` it counts as cut short. */
export const emptyCompletion: Completion = {
  text: "",
  reasoning: "",
  refusal: null,
  toolRequests: [],
  finish: "length",
  usage: null,
  logprobs: []
}

/** Appends a delta to an answer. */
export const appendDelta = (completion: Completion, delta: Delta): Completion => {
  switch (delta._tag) {
    case "Text":
      return {
        ...completion,
        text: completion.text + delta.text,
        logprobs: delta.logprobs === undefined ? completion.logprobs : [...completion.logprobs, ...delta.logprobs]
      }
    case "Reasoning":
      return { ...completion, reasoning: completion.reasoning + delta.text }
    case "Refusal":
      return { ...completion, refusal: (completion.refusal ?? "") + delta.text }
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

/** Gathers an answer, without a copy of it for every delta. */
export interface CompletionGatherer {
  readonly append: (delta: Delta) => void
  /** Everything that was appended. */
  readonly completion: () => Completion
}

/** Makes a gatherer of one answer. */
export const makeGatherer = (): CompletionGatherer => {
  let rest: Completion = emptyCompletion
  let [text, reasoning] = ["", ""]
  const logprobs: Array<TokenChoice> = []
  return {
    append: (delta) => {
      if (delta._tag === "Text") {
        text += delta.text
        for (const choice of delta.logprobs ?? []) logprobs.push(choice)
      } else if (delta._tag === "Reasoning") reasoning += delta.text
      else rest = appendDelta(rest, delta)
    },
    completion: () => ({ ...rest, text, reasoning, logprobs: [...logprobs] })
  }
}

/** Assembles an answer from its deltas. */
export const gatherDeltas = (deltas: ReadonlyArray<Delta>): Completion => {
  const { append, completion } = makeGatherer()
  deltas.forEach(append)
  return completion()
}

/** Splits an answer into deltas; text word by word, or token by token if it has logprobs. */
export const splitIntoDeltas = (completion: Completion): ReadonlyArray<Delta> => [
  ...(completion.reasoning === "" ? [] : [{ _tag: "Reasoning", text: completion.reasoning } as const]),
  ...(completion.refusal === null ? [] : [{ _tag: "Refusal", text: completion.refusal } as const]),
  ...(completion.logprobs.length > 0
    ? completion.logprobs.map((choice) => ({ _tag: "Text", text: choice.token, logprobs: [choice] }) as const)
    : splitWords(completion.text).map((text) => ({ _tag: "Text", text }) as const)),
  ...completion.toolRequests.flatMap(({ id, name, arguments: text }, index) =>
    [{ _tag: "ToolStart", index, id, name }, { _tag: "ToolArgs", index, text }] as const
  ),
  ...(completion.usage === null ? [] : [{ _tag: "Usage", usage: completion.usage } as const]),
  { _tag: "Finish", reason: completion.finish }
]

/** Splits a text into words, each with the whitespace before it. */
export const splitWords = (text: string): ReadonlyArray<string> => text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? []
