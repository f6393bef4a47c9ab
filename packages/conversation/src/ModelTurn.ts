import type { Completion, Message } from "@trunkline/models"
import { isAction, readAction } from "./actions/ActionTools.js"
import { builtInOf, useBuiltIn } from "./actions/BuiltInTools.js"
import { thinkAgain } from "./actions/ModelRequests.js"
import { beginAction } from "./ActionTurn.js"
import { close, listen, say, textFor } from "./AgentSteps.js"
import { phrases } from "./clauses/Phrases.js"
import type { CallPlan, CallState, Step } from "./state/CallState.js"
import { toolMessage } from "./tools/ToolMessage.js"
import { useTools } from "./ToolTurn.js"

/**
 * Handles a model response: executes built-in tools at once, then says its text, then executes tools of the host
 * application, and then does what the agent does in the call itself. When the model exceeds the limit of tool calls or says nothing, the agent asks the caller to repeat.
 */
export const onThought = (plan: CallPlan, before: CallState, completion: Completion, at: number): Step => {
  const { toolRequests } = completion
  const toolCalls = before.toolCalls + toolRequests.length
  if (toolCalls > plan.options.toolCalls) {
    return say(plan, { ...before, hasModelAnswered: true }, at, { say: [phrases.again] })
  }

  let state: CallState = { ...before, hasModelAnswered: true, toolCalls }
  const results: Array<Message> = []
  for (const request of toolRequests) {
    const name = builtInOf(request)
    if (name !== undefined) {
      const use = useBuiltIn(plan, state, { name, request, at })
      state = use.state
      results.push(toolMessage(request, use.content))
    } else if (isAction(plan, request)) {
      const action = readAction(plan, state, request)
      if (typeof action === "string") results.push(toolMessage(request, action))
      else state = { ...state, actions: { ...state.actions, waiting: action } }
    }
  }
  const text = completion.text.trim()
  const pending = toolRequests.filter((request) => builtInOf(request) === undefined && !isAction(plan, request))
  // The rest of an answer that was cut off may be empty.
  const isRest = text === "" && state.messages.at(-1)?.role === "system"
  if (state.closing !== null) {
    const finalState = { ...state, actions: { ...state.actions, waiting: null } }
    const goodbye = isRest ? [] : [text === "" ? textFor(plan, "goodbye") : text]
    return close(plan, finalState, at, { why: state.closing, say: goodbye })
  }
  if (isRest && toolRequests.length === 0) return listen(plan, state, at)
  if (text !== "") return say(plan, state, at, { say: [text], toolRequests, results, pending })
  if (toolRequests.length === 0) return say(plan, state, at, { say: [phrases.again] })
  const requestMessage: Message = { role: "assistant", content: null, toolRequests }
  const next = { ...state, messages: [...state.messages, requestMessage, ...results] }
  if (pending.length > 0) return useTools(plan, next, pending)
  return state.actions.waiting === null ? thinkAgain(plan, next) : beginAction(plan, next, state.actions.waiting, at)
}
