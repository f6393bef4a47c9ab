import type { Usage } from "@trunkline/models"
import { isObject } from "../Json.js"

const countIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : null

const detail = (details: unknown, name: string): number => isObject(details) ? countIn(details[name]) ?? 0 : 0

/**
 * The usage that an upstream tells; null where it tells none. What the total holds beyond input and output is output:
 * some leave the tokens of thinking out of it.
 */
export const readUsage = (value: unknown): Usage | null => {
  if (!isObject(value)) return null
  const input = countIn(value.prompt_tokens)
  const output = countIn(value.completion_tokens)
  const total = countIn(value.total_tokens)
  if (input === null || (output === null && total === null)) return null
  const outputTokens = Math.max(output ?? 0, (total ?? 0) - input)
  return {
    inputTokens: input,
    cachedTokens: Math.min(input, detail(value.prompt_tokens_details, "cached_tokens")),
    outputTokens,
    reasoningTokens: Math.min(outputTokens, detail(value.completion_tokens_details, "reasoning_tokens"))
  }
}
