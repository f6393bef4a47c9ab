import { isJsonObject, listOf, stringOf } from "@trunkline/kernel"
import type { FinishReason, TokenChoice, TokenLikelihood, Usage } from "@trunkline/models"

const loneSurrogate = /\p{Surrogate}/gu

/** Replaces lone surrogates by U+FFFD. */
export const wellFormed = (text: string): string => text.replace(loneSurrogate, "\uFFFD")

/** Passes on a chunked text without splitting surrogate pairs. */
export interface SurrogateBuffer {
  /** Adds a chunk and returns the text that can be passed on. */
  readonly push: (chunk: string) => string
  /** Returns what was held back at the end of the text: a lone surrogate, replaced by U+FFFD. */
  readonly flush: () => string
}

/** Makes a buffer for one text. */
export const makeSurrogateBuffer = (): SurrogateBuffer => {
  let half = ""
  return {
    push: (chunk) => {
      if (chunk === "") return ""
      const text = half + chunk
      const last = text.charCodeAt(text.length - 1)
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ""
      return wellFormed(half === "" ? text : text.slice(0, -1))
    },
    flush: () => {
      const remainder = wellFormed(half)
      half = ""
      return remainder
    }
  }
}

/** Returns the value if it is a string, and an empty string otherwise. */
export const textIn = (value: unknown): string => stringOf(value) ?? ""

/** Finish reason of an upstream; `broken` if the answer is incomplete. */
export type UpstreamFinish = FinishReason | "broken"

const reasons: Readonly<Record<string, UpstreamFinish>> = {
  length: "length",
  max_tokens: "length",
  model_length: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  tool_use: "tool_calls",
  content_filter: "content_filter",
  safety: "content_filter",
  abort: "broken",
  error: "broken",
  insufficient_system_resource: "broken"
}

/** Reads a `finish_reason`; null if there is none. Unknown reasons count as `stop`. */
export const readFinish = (value: unknown): UpstreamFinish | null => {
  if (typeof value !== "string" || value === "") return null
  const reason = value.toLowerCase()
  return Object.hasOwn(reasons, reason) ? reasons[reason] ?? "stop" : "stop"
}

const countIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : null

const detail = (details: unknown, name: string): number => isJsonObject(details) ? countIn(details[name]) ?? 0 : 0

/**
 * Reads the usage that an upstream reports; null if there is none. A total beyond input and output counts as output,
 * because some servers leave thinking tokens out of it.
 */
export const readUsage = (value: unknown): Usage | null => {
  if (!isJsonObject(value)) return null
  const input = countIn(value.prompt_tokens)
  const output = countIn(value.completion_tokens)
  const total = countIn(value.total_tokens)
  if (input === null || (output === null && total === null)) return null
  const outputTokens = Math.max(output ?? 0, (total ?? 0) - input)
  const audioInputTokens = Math.min(input, detail(value.prompt_tokens_details, "audio_tokens"))
  const audioOutputTokens = Math.min(outputTokens, detail(value.completion_tokens_details, "audio_tokens"))
  return {
    inputTokens: input,
    cachedTokens: Math.min(input, detail(value.prompt_tokens_details, "cached_tokens")),
    outputTokens,
    reasoningTokens: Math.min(outputTokens, detail(value.completion_tokens_details, "reasoning_tokens")),
    ...(audioInputTokens > 0 && { audioInputTokens }),
    ...(audioOutputTokens > 0 && { audioOutputTokens })
  }
}

const likelihood = (value: unknown): ReadonlyArray<TokenLikelihood> =>
  isJsonObject(value) && typeof value.token === "string" && typeof value.logprob === "number"
    ? [{ token: wellFormed(value.token), logprob: value.logprob }]
    : []

/** Reads the tokens in the `logprobs` of a choice, each with at top `top` alternatives. */
export const tokenChoices = (logprobs: unknown, top: number): ReadonlyArray<TokenChoice> =>
  isJsonObject(logprobs)
    ? listOf(logprobs.content).flatMap((entry) =>
      likelihood(entry).map((writtenLikelihood) => ({
        ...writtenLikelihood,
        top: isJsonObject(entry) ? listOf(entry.top_logprobs).slice(0, top).flatMap(likelihood) : []
      }))
    )
    : []
