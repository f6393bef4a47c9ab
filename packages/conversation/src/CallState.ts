import { type AgentVersion, type ScriptState, startAt } from "@trunkline/agents"
import type { Variables } from "@trunkline/kernel"
import type { Completion, Message, ModelRequest, ToolRequest } from "@trunkline/models"
import type { CallBrief, EndedBy, Heard, Spoken, Utterance } from "@trunkline/telephony"
import { Duration } from "effect"
import type { ConversationOptions } from "./ConversationOptions.js"

/** What stays the same during a call. */
export interface CallPlan {
  readonly version: AgentVersion
  readonly brief: CallBrief
  /** Tenant in the `origin` of the call's model requests. */
  readonly tenant: string
  readonly options: ConversationOptions
  /** Epoch milliseconds, business time: when it began, when to come to an end, when to hang up. */
  readonly startedAt: number
  readonly closeAt: number
  readonly endAt: number
}

/** One turn as it was spoken. */
export interface SpokenTurn {
  readonly role: "agent" | "user" | "tool"
  readonly text: string
  /** The same in English, where the carrier knows it. */
  readonly en_text: string | null
  readonly language_name: string | null
  readonly at: number
}

/** What the agent is saying, and what the model asked for in the same breath. */
export interface Speech {
  readonly utterance: Utterance
  /** The same in English, where the agent's words have an English wording and are spoken in another language. */
  readonly english: string | null
  readonly since: number
  readonly toolRequests: ReadonlyArray<ToolRequest>
  /** Results of the tools that are done already. */
  readonly results: ReadonlyArray<Message>
  /** Tools to carry out once it is said. */
  readonly pending: ReadonlyArray<ToolRequest>
}

/** Why the agent is saying goodbye. */
export type Closing = "done" | "silence" | "timeout" | "fault"

/** Everything a call knows of itself. */
export interface CallState {
  readonly language: string
  readonly script: ScriptState
  readonly messages: ReadonlyArray<Message>
  readonly turns: ReadonlyArray<SpokenTurn>
  /** Values set during the call, outputs included. */
  readonly updates: Variables
  readonly outputs: Variables
  readonly speech: Speech | null
  readonly closing: Closing | null
  /** Silences in a row. */
  readonly silences: number
  /** Tools asked for since the caller spoke. */
  readonly toolCalls: number
  /** The model has answered at least once. */
  readonly answered: boolean
  /** The caller's last words were a goodbye. */
  readonly tookLeave: boolean
  readonly businessRetry: boolean
  readonly rescheduleAt: number | null
  /** When the caller's words ended that are not yet answered; when the agent's did. */
  readonly heardAt: number | null
  readonly saidAt: number | null
  /** Waiting times in milliseconds. */
  readonly agentWaits: ReadonlyArray<number>
  readonly userWaits: ReadonlyArray<number>
  readonly endedBy: EndedBy | null
}

/** What a tool of the embedder came back with. */
export interface ToolOutcome {
  readonly request: ToolRequest
  readonly content: string
  readonly set: Variables
}

/** Something happened in the call. */
export type CallEvent =
  | { readonly _tag: "Answered" }
  | { readonly _tag: "Spoke"; readonly spoken: Spoken }
  | { readonly _tag: "Heard"; readonly heard: Heard }
  | { readonly _tag: "Thought"; readonly completion: Completion }
  | { readonly _tag: "ModelFailed" }
  | { readonly _tag: "ToolsAnswered"; readonly outcomes: ReadonlyArray<ToolOutcome> }
  | { readonly _tag: "TimeUp" }
  | { readonly _tag: "LineEnded"; readonly by: EndedBy }
  | { readonly _tag: "HungUp" }

/** What is to be done next; every command leads to one event, `Finish` to none. */
export type Command =
  | { readonly _tag: "Say"; readonly utterance: Utterance }
  | { readonly _tag: "Listen"; readonly silence: Duration.Duration }
  | { readonly _tag: "Think"; readonly request: ModelRequest }
  | { readonly _tag: "UseTools"; readonly requests: ReadonlyArray<ToolRequest> }
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "Finish" }

/** The state after an event, and what to do about it. */
export interface Step {
  readonly state: CallState
  readonly command: Command
}

/** How long before its end a call comes to a close, but not in its first half (telephony 6.1). */
const closingTime = Duration.seconds(15)

/** Lays out a call that begins now: the shorter of the two limits on its length holds. */
export const planCall = (options: {
  readonly version: AgentVersion
  readonly brief: CallBrief
  readonly tenant: string
  readonly options: ConversationOptions
  readonly startedAt: number
}): CallPlan => {
  const longest = Math.min(Duration.toMillis(options.brief.maxDuration), options.version.max_duration_seconds * 1000)
  const endAt = options.startedAt + longest
  return { ...options, endAt, closeAt: endAt - Math.min(Duration.toMillis(closingTime), longest / 2) }
}

/** The call at the moment it is answered. A language that the agent does not speak is not begun with. */
export const callStart = ({ brief, version }: CallPlan): CallState => {
  const wished = brief.app_overrides.initial_language_name
  return {
    language: version.languages.find((language) => language === wished) ?? version.languages[0],
    script: startAt(brief.app_overrides.initial_state_name),
    messages: [],
    turns: [],
    updates: {},
    outputs: {},
    speech: null,
    closing: null,
    silences: 0,
    toolCalls: 0,
    answered: false,
    tookLeave: false,
    businessRetry: false,
    rescheduleAt: null,
    heardAt: null,
    saidAt: null,
    agentWaits: [],
    userWaits: [],
    endedBy: null
  }
}

/** The variables as they are now: those given, and what was set since. */
export const variablesNow = (plan: CallPlan, state: CallState): Variables => ({
  ...plan.brief.agent_variables,
  ...state.updates
})

/** Keeps values: each in the variables, and in the outputs when it is declared as one. */
export const keep = (plan: CallPlan, state: CallState, values: Variables): CallState => {
  const outputs = new Set(plan.version.output_variables.map((output) => output.name))
  return {
    ...state,
    updates: { ...state.updates, ...values },
    outputs: {
      ...state.outputs,
      ...Object.fromEntries(Object.entries(values).filter(([name]) => outputs.has(name)))
    }
  }
}
