import { type AgentVersion, type ScriptState, startAt } from "@trunkline/agents"
import { templateVariables, type TurnEnd, type Variables } from "@trunkline/kernel"
import type { Completion, Message, ModelRequest, ToolRequest } from "@trunkline/models"
import type { CallBrief, EndedBy, HandedOver, Heard, Spoken, TurnTimings, Utterance } from "@trunkline/telephony"
import { Duration } from "effect"
import { emptyLedger, type ToolLedger, type ToolUse } from "../tools/ToolLedger.js"
import type { Filler, SpokenFiller, ToolOutcome } from "../tools/ToolOutcome.js"
import { type ActionState, noActions } from "./ActionState.js"
import type { ConversationOptions } from "./ConversationOptions.js"
import type { Team } from "./Team.js"

/** The constant part of a call. */
export interface CallPlan {
  readonly version: AgentVersion
  readonly brief: CallBrief
  /** Tenant in the `origin` of the call's model requests. */
  readonly tenant: string
  readonly options: ConversationOptions
  readonly team: Team
  /** Start of the call, moment to say goodbye, and moment to hang up: epoch milliseconds of business time. */
  readonly startedAt: number
  readonly closeAt: number
  readonly endAt: number
}

/** One turn of the transcript. */
export interface SpokenTurn {
  readonly role: "agent" | "user" | "tool"
  readonly text: string
  /** The text in English, where the carrier knows it. */
  readonly en_text: string | null
  readonly language_name: string | null
  readonly at: number
  /** The request whose result the turn of a tool is, how it came out, and the seconds that it took. */
  readonly tool?: Pick<ToolRequest, "name" | "arguments"> & Pick<ToolOutcome, "outcome" | "seconds" | "transfer">
  /** The hand-over that the turn of a tool is. */
  readonly handedOver?: HandedOver
  /** Moments of an answer of the agent on a leg with sound. */
  readonly timings?: TurnTimings
  /** Tells why a turn of the caller ended; null while it goes on. Only on a leg with sound. */
  readonly turnEnd?: () => TurnEnd | null
}

/** The current speech of the agent, and the tool calls of the same model response. */
export interface CurrentSpeech {
  readonly utterance: Utterance
  /** The English wording, when there is one and the agent speaks another language. */
  readonly english: string | null
  readonly since: number
  readonly toolRequests: ReadonlyArray<ToolRequest>
  /** Results of the tools that have already been executed. */
  readonly results: ReadonlyArray<Message>
  /** Tools to execute after the speech. */
  readonly pendingTools: ReadonlyArray<ToolRequest>
  /** Moments of the model's first token and first clause, when it was spoken while it was written. */
  readonly writingTimes?: Pick<Reply, "firstTokenAt" | "firstClauseAt">
}

/** Reason for the goodbye of the agent. */
export type Closing = "done" | "silence" | "timeout" | "fault"

/** The state of a call. */
export interface CallState {
  readonly language: string
  readonly script: ScriptState
  readonly messages: ReadonlyArray<Message>
  readonly turns: ReadonlyArray<SpokenTurn>
  /** Variables set during the call, including outputs. */
  readonly updates: Variables
  readonly outputs: Variables
  readonly speech: CurrentSpeech | null
  /**
   * The state to return to when the caller goes on: that before their last turn, or that of now once a sound was heard or a
   * tool of the host was executed; null while the caller listens or speaks.
   */
  readonly beforeTurn: CallState | null
  /** The part of a turn with which the caller went on. */
  readonly unfinishedTurn: SpokenTurn | null
  readonly closing: Closing | null
  /** Reason of a fault of ours, as the report states it. */
  readonly fault: string | null
  /** Number of consecutive silences. */
  readonly silences: number
  /** Number of tool calls since the caller spoke. */
  readonly toolCalls: number
  /** Uses of tools of the host. */
  readonly ledger: ToolLedger
  /** Hand-overs, entries of digits and holds. */
  readonly actions: ActionState
  /** True when the caller has interrupted before the tools that run: they are listened to before the model is asked. */
  readonly isInterrupted: boolean
  /** True once the model has responded. */
  readonly hasModelAnswered: boolean
  /** True when the caller's last utterance contains a goodbye. */
  readonly saidGoodbye: boolean
  readonly businessRetry: boolean
  readonly rescheduleAt: number | null
  /** End of the caller's last utterance, until the agent responds. */
  readonly heardAt: number | null
  /** Last voice of that utterance, on a leg with sound. */
  readonly endedAt: number | null
  /** End of the agent's last speech, until the caller responds. */
  readonly saidAt: number | null
  /** Response times in milliseconds. */
  readonly agentWaits: ReadonlyArray<number>
  readonly userWaits: ReadonlyArray<number>
  readonly endedBy: EndedBy | null
  /** Variables that templates used and the call did not have. */
  readonly missingVariables: ReadonlyArray<string>
}

/** A response of the model that was spoken while it was written. */
export interface Reply {
  /** The response, as far as it came. Tool calls are kept only when it is complete. */
  readonly completion: Completion
  /** The text that was given to the voice. */
  readonly text: string
  /** The part of it that was heard; null when there was nothing to say. */
  readonly spoken: Spoken | null
  /** True when the agent only asked for a moment, and the model had no words. */
  readonly isFiller: boolean
  /** Reason for which the model failed after it had begun; null unless it did. */
  readonly failure: string | null
  /** Moments of the first token and of the first clause, in epoch milliseconds of business time; null without any. */
  readonly firstTokenAt: number | null
  readonly firstClauseAt: number | null
}

/** Event of a call. */
export type FlowEvent =
  | { readonly _tag: "Answered" }
  | { readonly _tag: "Spoke"; readonly spoken: Spoken }
  | { readonly _tag: "Heard"; readonly heard: Heard }
  | { readonly _tag: "Thought"; readonly completion: Completion }
  /** The model's response was spoken while it was written. */
  | { readonly _tag: "Replied"; readonly reply: Reply }
  /** An answer of a process that stopped while the model wrote it, with what was heard of it. */
  | { readonly _tag: "CutOff"; readonly text: string; readonly spoken: Spoken }
  | { readonly _tag: "ModelFailed"; readonly reason: string }
  /** The caller goes on before the answer. */
  | { readonly _tag: "WentOn" }
  | {
    readonly _tag: "ToolsAnswered"
    readonly outcomes: ReadonlyArray<ToolOutcome>
    readonly filler: SpokenFiller | null
  }
  /** A summary of the conversation for the next agent; null when the model had none. */
  | { readonly _tag: "Summarised"; readonly summary: string | null }
  /** The time is up; tools that ran have answered so far. */
  | { readonly _tag: "TimeUp"; readonly outcomes: ReadonlyArray<ToolOutcome> }
  | { readonly _tag: "LineEnded"; readonly by: EndedBy }
  | { readonly _tag: "HungUp" }

/** The next command. Every command leads to one event, except `Finish`. */
export type FlowCommand =
  | { readonly _tag: "Say"; readonly utterance: Utterance }
  | { readonly _tag: "Listen"; readonly silence: Duration.Duration }
  | { readonly _tag: "Think"; readonly request: ModelRequest }
  | { readonly _tag: "UseTools"; readonly uses: ReadonlyArray<ToolUse>; readonly filler: Filler }
  | { readonly _tag: "Summarise"; readonly request: ModelRequest }
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "Finish" }

/** The state after an event, and the next command. */
export interface Step {
  readonly state: CallState
  readonly command: FlowCommand
}

/** Time before the end of a call at which the agent says goodbye, though not in the first half of the call. */
const closingTime = Duration.seconds(15)

/** Plans a call that begins now. Its length is the smaller of the two limits. */
export const planCall = (options: {
  readonly version: AgentVersion
  readonly brief: CallBrief
  readonly tenant: string
  readonly options: ConversationOptions
  readonly team: Team
  readonly startedAt: number
}): CallPlan => {
  const maxMillis = Math.min(Duration.toMillis(options.brief.maxDuration), options.version.max_duration_seconds * 1000)
  const endAt = options.startedAt + maxMillis
  return { ...options, endAt, closeAt: endAt - Math.min(Duration.toMillis(closingTime), maxMillis / 2) }
}

/** The language that the agent begins with: the requested one if it speaks it. */
export const firstLanguage = ({ languages }: AgentVersion, { app_overrides }: CallBrief): string =>
  languages.find((language) => language === app_overrides.initial_language_name) ?? languages[0]

/** The state of a call that has just been answered, in the requested language if the agent speaks it. */
export const initialState = ({ brief, version }: CallPlan): CallState => ({
  language: firstLanguage(version, brief),
  script: startAt(brief.app_overrides.initial_state_name),
  messages: [],
  turns: [],
  updates: {},
  outputs: {},
  speech: null,
  beforeTurn: null,
  unfinishedTurn: null,
  closing: null,
  fault: null,
  silences: 0,
  toolCalls: 0,
  ledger: emptyLedger,
  actions: noActions,
  isInterrupted: false,
  hasModelAnswered: false,
  saidGoodbye: false,
  businessRetry: false,
  rescheduleAt: null,
  heardAt: null,
  endedAt: null,
  saidAt: null,
  agentWaits: [],
  userWaits: [],
  endedBy: null,
  missingVariables: []
})

/** The variables given to the call, with those set during it. */
export const currentVariables = (plan: CallPlan, state: CallState): Variables => ({
  ...plan.brief.agent_variables,
  ...state.updates
})

/** Notes the variables of a template that the call does not have. */
export const noteLacking = (plan: CallPlan, state: CallState, template: string): CallState => {
  const variables = currentVariables(plan, state)
  const lacking = templateVariables(template).filter((name) =>
    !Object.hasOwn(variables, name) && !state.missingVariables.includes(name)
  )
  return lacking.length === 0 ? state : { ...state, missingVariables: [...state.missingVariables, ...lacking] }
}

/** Sets variables, and outputs where they are declared. */
export const setVariables = (plan: CallPlan, state: CallState, values: Variables): CallState => {
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
