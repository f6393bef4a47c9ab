import { type AgentVersion, fillTemplate } from "@trunkline/agents"
import type { ModelRequest } from "@trunkline/models"
import { DateTime } from "effect"
import { builtInToolsOf } from "./BuiltInTools.js"
import { type CallPlan, type CallState, variablesNow } from "./CallState.js"

const defaultPrompt = "Be polite and brief. Find out why the person is on the phone and help as well as you can."

const manners = "Your words are spoken aloud: one or two short sentences at a time, no lists, no markup. "
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

/** The instructions that stand before the conversation. */
const instructionsOf = (plan: CallPlan, state: CallState): string => {
  const { brief, version } = plan
  const variables = variablesNow(plan, state)
  return [
    `You are ${version.name}, on the phone. The call is ${brief.direction} and began at ${
      DateTime.formatIso(DateTime.unsafeMake(plan.startedAt))
    }.`,
    fillTemplate(version.prompt ?? defaultPrompt, variables),
    fillTemplate(statePrompt(plan), variables),
    goalOf(version),
    Object.keys(variables).length === 0 ? "" : `What is known: ${JSON.stringify(variables)}.`,
    `Speak ${state.language}. You speak ${version.languages.join(", ")}.`,
    manners
  ].filter((line) => line !== "").join("\n")
}

/** What the model is asked when it is the agent's turn. Nobody on the phone wants to wait for thoughts. */
export const requestFor = (plan: CallPlan, state: CallState): ModelRequest => ({
  model: plan.version.model ?? plan.options.model,
  messages: [{ role: "system", content: instructionsOf(plan, state) }, ...state.messages],
  tools: [...builtInToolsOf(plan.version), ...plan.version.tools],
  effort: null,
  origin: { tenant: plan.tenant }
})
