import type { FinishReason } from "@trunkline/models"

/** Why an upstream says that its answer ended; `broken` where the answer is not whole. */
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

/** The reason behind a `finish_reason`; null while there is none. Servers have many words for an end like any other. */
export const readFinish = (value: unknown): UpstreamFinish | null => {
  if (typeof value !== "string" || value === "") return null
  const reason = value.toLowerCase()
  return Object.hasOwn(reasons, reason) ? reasons[reason] ?? "stop" : "stop"
}
