import type { Completion, Usage } from "@trunkline/models"
import type { OutputItem } from "@trunkline/responses"
import { Effect } from "effect"
import { bodyWith, created, requestId, scripted, usage } from "./Fixtures.js"

export const answered = (whole: Partial<Completion>, more: object = {}, used: Usage = usage) =>
  Effect.provide(created(bodyWith(more)), scripted({ whole: Effect.succeed(whole), usage: used }))

export const message = (text: string, index = 0, status: "completed" | "incomplete" = "completed"): OutputItem => ({
  type: "message",
  id: `msg_${requestId}_${index}`,
  status,
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }]
})

export const request = { id: "call_a", name: "look_up", arguments: "{\"q\":1}" }
