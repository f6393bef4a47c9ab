import { type ActionTool, actionToolsOf } from "@trunkline/agents"
import type { ModelTool, ToolRequest } from "@trunkline/models"
import { Option, Schema } from "effect"
import type { WaitingAction } from "../state/ActionState.js"
import type { CallPlan, CallState } from "../state/CallState.js"
import { usualHold } from "./HoldTimes.js"
import { routesOf } from "./Team.js"

/** Hand-overs in a call at most, so that no agents pass it on for ever. */
const maxHandOvers = 10

/** Longest reason of a hand-over in UTF-16 units. */
const maxReason = 500

const HandOverArguments = Schema.parseJson(Schema.Struct({ to: Schema.String, reason: Schema.optional(Schema.String) }))
const DigitArguments = Schema.parseJson(Schema.Struct({ name: Schema.String }))
const HoldArguments = Schema.parseJson(Schema.Struct({ seconds: Schema.optional(Schema.Positive) }))

const bulletsOf = (lines: ReadonlyArray<string>): string => lines.map((line) => `\n- ${line}`).join("")

/** The tools for what the agent that has the call may do in the call itself. */
export const modelActionsOf = (plan: CallPlan, state: CallState): ReadonlyArray<ModelTool> => {
  const { digit_entries = [], hold } = plan.version
  const routes = routesOf(plan, state)
  const tools: Record<ActionTool, () => ModelTool | null> = {
    hand_over: () =>
      routes.length === 0 ? null : {
        name: "hand_over",
        description: `Hands the call over to another agent, who goes on with it at once:${
          bulletsOf(routes.map(({ handOver: { app_id, when } }) => `${app_id}: ${when}`))
        }`,
        parameters: {
          type: "object",
          properties: {
            to: { type: "string", enum: routes.map(({ handOver }) => handOver.app_id) },
            reason: { type: "string", description: "What the caller needs, for the next agent" }
          },
          required: ["to", "reason"]
        }
      },
    collect_digits: () => ({
      name: "collect_digits",
      description: `Asks the caller to enter digits with the keys of the phone, and waits for them. It asks by itself:${
        bulletsOf(digit_entries.map(({ description, name }) => `${name}: ${description}`))
      }`,
      parameters: {
        type: "object",
        properties: { name: { type: "string", enum: digit_entries.map(({ name }) => name) } },
        required: ["name"]
      }
    }),
    hold_caller: () => ({
      name: "hold_caller",
      description: "Puts the caller on hold for some seconds. Together with other tools: until they have answered. "
        + "Tell the caller first.",
      parameters: {
        type: "object",
        properties: { seconds: { type: "number", maximum: hold?.max_seconds ?? usualHold } }
      }
    })
  }
  return actionToolsOf(plan.version).flatMap((name) => tools[name]() ?? [])
}

/** True for a request for something that the agent does in the call itself. */
export const isAction = ({ version }: CallPlan, { name }: ToolRequest): boolean =>
  actionToolsOf(version).some((tool) => tool === name)

const readHandOver = (plan: CallPlan, state: CallState, request: ToolRequest): WaitingAction | string => {
  const routes = routesOf(plan, state)
  const input = Option.getOrUndefined(Schema.decodeUnknownOption(HandOverArguments)(request.arguments))
  const route = routes.findIndex(({ handOver }) => handOver.app_id === input?.to)
  const to = routes[route]?.to
  if (input === undefined || to === undefined) {
    return `Choose one of ${routes.map(({ handOver }) => handOver.app_id).join(", ")}.`
  }
  const { handOvers, hadCall } = state.actions
  if (handOvers >= maxHandOvers) return "The call has been handed over too often. Go on with it yourself."
  if (hadCall.includes(to)) return `${input.to} has just handed the call over. Speak with the caller first.`
  return { _tag: "HandOver", request, route, reason: (input.reason ?? "").slice(0, maxReason) }
}

const readDigits = ({ version: { digit_entries = [] } }: CallPlan, request: ToolRequest): WaitingAction | string => {
  const input = Option.getOrUndefined(Schema.decodeUnknownOption(DigitArguments)(request.arguments))
  const entry = digit_entries.find(({ name }) => name === input?.name)
  return entry === undefined
    ? `Choose one of ${digit_entries.map(({ name }) => name).join(", ")}.`
    : { _tag: "Digits", request, entry }
}

const readHold = ({ version: { hold } }: CallPlan, request: ToolRequest): WaitingAction | string => {
  const input = Schema.decodeUnknownOption(HoldArguments)(request.arguments === "" ? "{}" : request.arguments)
  if (Option.isNone(input)) return "seconds is a number above 0."
  const longest = hold?.max_seconds ?? usualHold
  return { _tag: "Hold", request, seconds: Math.min(input.value.seconds ?? longest, longest) }
}

/** The action that a request asks for, or the reason for the model why it cannot be. */
export const readAction = (plan: CallPlan, state: CallState, request: ToolRequest): WaitingAction | string => {
  if (state.actions.waiting !== null) return "Not done: one such tool at a time."
  if (request.name === "hand_over") return readHandOver(plan, state, request)
  return request.name === "collect_digits" ? readDigits(plan, request) : readHold(plan, request)
}

/** The entry of digits that a response asks for; null without one. Keys that interrupt the response belong to it. */
export const entryIn = (
  plan: CallPlan,
  state: CallState,
  requests: ReadonlyArray<ToolRequest>
): WaitingAction | null => {
  const request = requests.find(({ name }) => name === "collect_digits")
  const action = request === undefined || !isAction(plan, request) ? null : readAction(plan, state, request)
  return action === null || typeof action === "string" ? null : action
}
