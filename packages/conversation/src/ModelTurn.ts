import { type AgentVersion, fillTemplate } from "@trunkline/agents"
import type { Completion, Message, ModelRequest, ToolRequest } from "@trunkline/models"
import { DateTime } from "effect"
import { close, say, textFor } from "./AgentSteps.js"
import { builtInOf, builtInToolsOf, useBuiltIn } from "./BuiltInTools.js"
import {
  type CallPlan,
  type CallState,
  currentVariables,
  noteLacking,
  setVariables,
  type Step,
  type ToolOutcome
} from "./CallState.js"
import { phrases } from "./Phrases.js"

const defaultPrompt = "Be polite and brief. Find out why the person is on the phone and help as well as you can."

const speakingStyle = "Your words are spoken aloud: one or two short sentences at a time, no lists, no markup. "
  + "Write down what you learn with set_variables. When there is nothing left to do, say goodbye and use end_call."

const statePrompt = ({ brief, version }: CallPlan): string =>
  version.states?.find((state) => state.name === brief.app_overrides.initial_state_name)?.prompt ?? ""

const goalOf = (version: AgentVersion): string =>
  version.output_variables.length === 0
    ? ""
    : `Find out: ${
      version.output_variables
        .map(({ description, name, required }) =>
          `${name}${description === undefined ? "" : `, ${description}`}${required ? " (required)" : ""}`
        )
        .join("; ")
    }.`

/** The system message of the model request. */
const instructionsOf = (plan: CallPlan, state: CallState): string => {
  const { brief, version } = plan
  const variables = currentVariables(plan, state)
  return [
    `You are ${version.name}, on the phone. The call is ${brief.direction} and began at ${
      DateTime.formatIso(DateTime.unsafeMake(plan.startedAt))
    }.`,
    fillTemplate(version.prompt ?? defaultPrompt, variables),
    fillTemplate(statePrompt(plan), variables),
    goalOf(version),
    Object.keys(variables).length === 0 ? "" : `What is known: ${JSON.stringify(variables)}.`,
    `Speak ${state.language}. You speak ${version.languages.join(", ")}.`,
    speakingStyle
  ].filter((line) => line !== "").join("\n")
}

/** The model request for the agent's turn, without reasoning effort, because the caller waits on the phone. */
const modelRequest = (plan: CallPlan, state: CallState): ModelRequest => ({
  model: plan.version.model ?? plan.options.model,
  messages: [{ role: "system", content: instructionsOf(plan, state) }, ...state.messages],
  tools: [...builtInToolsOf(plan.version), ...plan.version.tools],
  effort: null,
  origin: { tenant: plan.tenant }
})

/** Asks the model for the next turn. */
export const think = (plan: CallPlan, state: CallState): Step => ({
  state: noteLacking(plan, noteLacking(plan, state, plan.version.prompt ?? ""), statePrompt(plan)),
  command: { _tag: "Think", request: modelRequest(plan, state) }
})

/** Asks the model again after tools. What was said and done before stays when the caller goes on. */
export const thinkAgain = (plan: CallPlan, state: CallState): Step =>
  think(plan, state.beforeTurn === null ? { ...state, beforeTurn: state } : state)

/** The result of a tool as a message to the model. */
export const toolMessage = (request: ToolRequest, content: string): Message => ({
  role: "tool",
  toolRequestId: request.id,
  name: request.name,
  content
})

/** Executes tools of the host application. */
export const useTools = (state: CallState, requests: ReadonlyArray<ToolRequest>): Step => ({
  state: { ...state, beforeTurn: null },
  command: { _tag: "UseTools", requests }
})

/**
 * Handles a model response: executes built-in tools at once, then says its text, then executes tools of the host
 * application. When the model exceeds the limit of tool calls or says nothing, the agent asks the caller to repeat.
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
    return close(plan, state, at, { why: state.closing, say: [text === "" ? textFor(plan, "goodbye") : text] })
  }
  if (text !== "") return say(plan, state, at, { say: [text], toolRequests, results, pending })
  if (toolRequests.length === 0) return say(plan, state, at, { say: [phrases.again] })
  const requestMessage: Message = { role: "assistant", content: null, toolRequests }
  const next = { ...state, messages: [...state.messages, requestMessage, ...results] }
  return pending.length > 0 ? useTools(next, pending) : thinkAgain(plan, next)
}

/** Adds the results of tools of the host application. */
export const withOutcomes = (
  plan: CallPlan,
  state: CallState,
  outcomes: ReadonlyArray<ToolOutcome>,
  at: number
): CallState =>
  outcomes.reduce((state, { content, request, set }) => ({
    ...setVariables(plan, state, set),
    messages: [...state.messages, toolMessage(request, content)],
    turns: [
      ...state.turns,
      { role: "tool" as const, text: content, en_text: content, language_name: null, at, tool: request }
    ]
  }), state)
