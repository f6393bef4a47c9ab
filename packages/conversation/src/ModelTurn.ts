import type { Completion, Message, ToolRequest } from "@trunkline/models"
import { builtInOf, useBuiltIn } from "./BuiltInTools.js"
import { type CallPlan, type CallState, keep, type Step, type ToolOutcome } from "./CallState.js"
import { close, say, wordsFor } from "./Moves.js"
import { phrases } from "./Phrases.js"
import { requestFor } from "./Prompt.js"

/** Asks the model what to say. */
export const think = (plan: CallPlan, state: CallState): Step => ({
  state,
  command: { _tag: "Think", request: requestFor(plan, state) }
})

/** The result of a tool as the model reads it. */
export const toolMessage = (request: ToolRequest, content: string): Message => ({
  role: "tool",
  toolRequestId: request.id,
  name: request.name,
  content
})

/** Has the embedder's tools carried out. */
export const useTools = (state: CallState, requests: ReadonlyArray<ToolRequest>): Step => ({
  state,
  command: { _tag: "UseTools", requests }
})

/**
 * Takes in an answer of the model: built-in tools at once, then the words, then the embedder's tools. A model that asks
 * for tools without end, or says nothing at all, is cut short with a request to say it again.
 */
export const onThought = (plan: CallPlan, before: CallState, completion: Completion, at: number): Step => {
  const { toolRequests } = completion
  const toolCalls = before.toolCalls + toolRequests.length
  if (toolCalls > plan.options.toolCalls) return say(plan, { ...before, answered: true }, at, { say: [phrases.again] })

  let state: CallState = { ...before, answered: true, toolCalls }
  const results: Array<Message> = []
  for (const request of toolRequests) {
    const name = builtInOf(request)
    if (name !== undefined) {
      const use = useBuiltIn(plan, state, { name, request, at })
      state = use.state
      results.push(toolMessage(request, use.content))
    }
  }
  const text = completion.text.trim()
  const pending = toolRequests.filter((request) => builtInOf(request) === undefined)
  if (state.closing !== null) {
    return close(plan, state, at, { why: state.closing, say: [text === "" ? wordsFor(plan, "goodbye") : text] })
  }
  if (text !== "") return say(plan, state, at, { say: [text], toolRequests, results, pending })
  if (toolRequests.length === 0) return say(plan, state, at, { say: [phrases.again] })
  const asked: Message = { role: "assistant", content: null, toolRequests }
  const next = { ...state, messages: [...state.messages, asked, ...results] }
  return pending.length > 0 ? useTools(next, pending) : think(plan, next)
}

/** Takes in what the embedder's tools found, and thinks again. */
export const onTools = (
  plan: CallPlan,
  state: CallState,
  outcomes: ReadonlyArray<ToolOutcome>,
  at: number
): Step =>
  think(
    plan,
    outcomes.reduce((state, { content, request, set }) => ({
      ...keep(plan, state, set),
      messages: [...state.messages, toolMessage(request, content)],
      turns: [...state.turns, { role: "tool" as const, text: content, en_text: content, language_name: null, at }]
    }), state)
  )
