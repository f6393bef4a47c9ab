import type { Message, ModelRequest } from "@trunkline/models"
import { maskForModel } from "../state/ActionState.js"
import type { CallPlan, CallState } from "../state/CallState.js"

/** Longest conversation that is summarised, from its end, and longest summary, in UTF-16 units. */
const maxTold = 12_000
export const maxSummary = 1_500

const task =
  "Summarise this phone call for the agent who goes on with it: who the caller is, what they want, what was found "
  + "out and promised, and what is open. At most 120 words, plain text, nothing that was not said."

const names = { agent: "Agent", user: "Caller", tool: "Tool" }

/** The request for a summary of a conversation so far. */
export const summaryRequest = (plan: CallPlan, state: CallState): ModelRequest => {
  const lines = state.turns.map(({ role, text }) => `${names[role]}: ${text}`).join("\n")
  return {
    model: plan.version.model ?? plan.options.model,
    messages: [{ role: "system", content: task }, {
      role: "user",
      content: maskForModel(state.actions)(lines.slice(-maxTold))
    }],
    effort: null,
    limits: { maxOutputTokens: 400 },
    origin: { tenant: plan.tenant }
  }
}

/** Messages from one of the last turns of the caller on; all of them when there are fewer turns. */
export const lastTurns = (messages: ReadonlyArray<Message>, turns: number): ReadonlyArray<Message> => {
  const places = messages.flatMap(({ role }, index) => role === "user" ? [index] : [])
  return messages.slice(places.at(-turns) ?? 0)
}
