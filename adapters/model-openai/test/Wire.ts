import type { Delta, ModelRequest } from "@trunkline/models"
import type { Step } from "./FakeUpstream.js"

/** A request with nothing special. */
export const hello: ModelRequest = { model: "m", messages: [{ role: "user", content: "Hi" }] }

/** A chunk of a stream, with what its only choice adds. */
export const chunk = (
  delta: unknown,
  finish: string | null = null,
  others: Readonly<Record<string, unknown>> = {}
) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "upstream",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...others
})

/** A chunk with words. */
export const words = (content: string) => chunk({ content })

/** The usage of an answer, as it is told in a chunk of its own. */
export const usageChunk = (prompt = 3, completion = 5) => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
})

/** An event of a stream; text goes as it is, anything else as JSON. */
export const event = (data: unknown): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`

/** The events of a stream, in one text. */
export const events = (...data: ReadonlyArray<unknown>): string => data.map(event).join("")

/** A stream in one write, with its end. */
export const streaming = (...data: ReadonlyArray<unknown>): ReadonlyArray<Step> => [
  { write: events(...data, "[DONE]") },
  "end"
]

/** A JSON document, with its end. */
export const json = (
  document: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): ReadonlyArray<Step> => [
  { status, headers: { "content-type": "application/json", ...headers } },
  { write: JSON.stringify(document) },
  "end"
]

/** A whole answer. */
export const whole = (
  message: unknown,
  finish: string | null = "stop",
  others: Readonly<Record<string, unknown>> = {}
) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "upstream",
  choices: [{ index: 0, message, finish_reason: finish }],
  ...others
})

/** The tokens that `usageChunk` tells. */
export const usage = { inputTokens: 3, cachedTokens: 0, outputTokens: 5, reasoningTokens: 0 }

/** Pieces of text. */
export const texts = (...pieces: ReadonlyArray<string>): ReadonlyArray<Delta> =>
  pieces.map((text) => ({ _tag: "Text", text }))

/** The end of an answer. */
export const finished = (reason: "stop" | "length" | "tool_calls" | "content_filter"): Delta => ({
  _tag: "Finish",
  reason
})
