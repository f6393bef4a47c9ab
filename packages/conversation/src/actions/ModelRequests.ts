import { type AgentVersion, fillTemplate, knowledgeToolsOf, recordingToolsOf } from "@trunkline/agents"
import type { ModelRequest, ModelTool } from "@trunkline/models"
import { DateTime } from "effect"
import { type CallPlan, type CallState, currentVariables, noteLacking, type Step } from "../state/CallState.js"
import { lineToolsOf } from "../tools/LineTools.js"
import { modelActionsOf } from "./ActionTools.js"
import { builtInToolsOf } from "./BuiltInTools.js"

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

/**
 * The system message of the model request. What calls of an agent have in common comes first, and what differs last, so that a
 * provider can answer from its cache of prompts. It stays the same in a call, as long as its language does: what is learnt on
 * the way is in the messages that follow. An agent to which the call was handed over may not have those, so it is told all.
 */
export const instructionsOf = (plan: CallPlan, state: CallState): string => {
  const { brief, version } = plan
  const variables = currentVariables(plan, state)
  const values = state.actions.handOvers === 0 ? brief.agent_variables : variables
  return [
    `You are ${version.name}, on the phone.`,
    speakingStyle,
    goalOf(version),
    `You speak ${version.languages.join(", ")}.`,
    fillTemplate(version.prompt ?? defaultPrompt, variables),
    fillTemplate(statePrompt(plan), variables),
    `The call is ${brief.direction}.`,
    Object.keys(values).length === 0 ? "" : `What is known: ${JSON.stringify(values)}.`,
    `The call began at ${DateTime.formatIso(DateTime.unsafeMake(plan.startedAt))}.`,
    `Speak ${state.language}.`
  ].filter((line) => line !== "").join("\n")
}

/** The tools of the agent that has the call, in the order of their names, which is that of every request. */
const toolsOf = (plan: CallPlan, state: CallState): ReadonlyArray<ModelTool> =>
  [
    ...builtInToolsOf(plan.version),
    ...modelActionsOf(plan, state),
    ...lineToolsOf(plan.version),
    ...knowledgeToolsOf(plan.version),
    ...recordingToolsOf(plan.version),
    ...plan.version.tools
  ].toSorted((a, b) => a.name < b.name ? -1 : 1)

/** The model request for the agent's turn, without reasoning effort, because the caller waits on the phone. */
const modelRequest = (plan: CallPlan, state: CallState): ModelRequest => ({
  model: plan.version.model ?? plan.options.model,
  messages: [{ role: "system", content: instructionsOf(plan, state) }, ...state.messages],
  tools: toolsOf(plan, state),
  effort: null,
  cacheKey: `${plan.brief.app_id}:${plan.brief.app_version}`,
  origin: { tenant: plan.tenant, call: plan.brief.attempt_id }
})

/** Asks the model for the next turn. */
export const think = (plan: CallPlan, state: CallState): Step => ({
  state: noteLacking(plan, noteLacking(plan, state, plan.version.prompt ?? ""), statePrompt(plan)),
  command: { _tag: "Think", request: modelRequest(plan, state) }
})

/** Asks the model again after tools. What was said and done before stays when the caller goes on. */
export const thinkAgain = (plan: CallPlan, state: CallState): Step =>
  think(plan, state.beforeTurn === null ? { ...state, beforeTurn: state } : state)
