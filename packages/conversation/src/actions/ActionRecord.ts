import type { ToolRequest } from "@trunkline/models"
import type { ToolUseOutcome } from "@trunkline/telephony"
import type { CallState, SpokenTurn } from "../state/CallState.js"
import { toolMessage } from "../tools/ToolMessage.js"

/** An action that is over: how it came out, for the record, and what the model is told. */
export interface EndedAction {
  readonly request: ToolRequest
  readonly since: number
  readonly at: number
  readonly outcome: ToolUseOutcome
  /** Text for the record. */
  readonly text: string
  /** Text for the model; absent: that of the record. */
  readonly content?: string
  readonly handedOver?: SpokenTurn["handedOver"]
}

/** Adds an action to the turns of a call. */
export const recordAction = (
  state: CallState,
  { at, handedOver, outcome, request, since, text }: EndedAction
): CallState => ({
  ...state,
  turns: [...state.turns, {
    role: "tool",
    text,
    en_text: text,
    language_name: null,
    at,
    tool: { name: request.name, arguments: request.arguments, outcome, seconds: Math.max(0, at - since) / 1_000 },
    ...(handedOver !== undefined && { handedOver })
  }]
})

/** Ends an action: it is in the turns, and the model is told. */
export const endAction = (state: CallState, endedAction: EndedAction): CallState => {
  const recordedState = recordAction(state, endedAction)
  return {
    ...recordedState,
    beforeTurn: null,
    actions: { ...state.actions, waiting: null, running: null },
    messages: [...state.messages, toolMessage(endedAction.request, endedAction.content ?? endedAction.text)]
  }
}

const endTexts = {
  Digits: "The call ended before the digits were entered.",
  Hold: "The call ended while the caller was on hold.",
  Summary: "The call ended before it was handed over."
}

/** Ends the action that runs, if any does, because the call ends. */
export const cutAction = (state: CallState, at: number): CallState => {
  const { running } = state.actions
  if (running === null) return state
  const { _tag, request, since } = running
  const text = endTexts[_tag]
  return endAction(state, { request, since, at, outcome: "timed_out", text })
}
