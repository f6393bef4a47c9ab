import {
  AppId,
  type AttemptId,
  CallAnswer,
  conversationFields,
  type PhoneNumber,
  type Scope,
  TurnEnd,
  type Variables
} from "@trunkline/kernel"
import { Context, type Duration, Effect, Layer, type Option, Schema } from "effect"
import type { AnswerHandling } from "./AnswerHandling.js"
import type { CallLog } from "./CallLog.js"
import type { RecordingControl } from "./CallRecording.js"
import { EndedBy, type Leg } from "./Leg.js"
import { ModelInput } from "./ModelInput.js"
import { TransferRecord } from "./Transfer.js"

/** Settings of the agent that a single call can override. */
export const AppOverrides = Schema.Struct({
  initial_bot_message: Schema.optional(Schema.String),
  initial_language_name: Schema.optional(Schema.String),
  initial_state_name: Schema.optional(Schema.String),
  /** True to record the call, false not to; absent: as its agent and the engine say. */
  record: Schema.optional(Schema.Boolean)
})
export type AppOverrides = typeof AppOverrides.Type

/**
 * Moments of an answer on a call with sound, in epoch milliseconds of business time; null where there was none: the last
 * voice of the caller, the words of it, the first token and the first clause of the model, and the first sound.
 */
export const TurnTimings = Schema.Struct({
  ended_at: Schema.NullOr(Schema.Number),
  words_at: Schema.NullOr(Schema.Number),
  first_token_at: Schema.NullOr(Schema.Number),
  first_clause_at: Schema.NullOr(Schema.Number),
  first_sound_at: Schema.Number
})
export type TurnTimings = typeof TurnTimings.Type

/**
 * Outcome of a use of a tool: `done` with an answer, `failed`, `timed_out` without an answer in time, `wrong_arguments` when
 * they did not fit the tool's schema, `refused` when it did not run, since a rule of the conversation forbade it.
 */
export const ToolUseOutcome = Schema.Literal("done", "failed", "timed_out", "wrong_arguments", "refused")
export type ToolUseOutcome = typeof ToolUseOutcome.Type

/** A call that one agent has handed over to another. */
export const HandedOver = Schema.Struct({
  from_app_id: AppId,
  from_app_version: Schema.Int,
  to_app_id: AppId,
  to_app_version: Schema.Int,
  /** Part of the conversation that the next agent was told: all of it, its last turns, or a summary. */
  history: Schema.Literal("keep", "last_turns", "summary"),
  /** Reason in the words of the model. */
  reason: Schema.String
})
export type HandedOver = typeof HandedOver.Type

/**
 * One stored turn of a conversation: `en_text` is English, `indic_text` is the original when spoken in another language.
 * The text of a tool's turn is its result.
 */
export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "user", "tool"),
  en_text: Schema.String,
  indic_text: Schema.NullOr(Schema.String),
  language_name: Schema.NullOr(Schema.String),
  /** Epoch milliseconds of business time. */
  at: Schema.Number,
  /** Name of the tool; only of tools. */
  tool_name: Schema.optionalWith(Schema.String, { exact: true }),
  /** Arguments of the tool as the model wrote them, normally JSON; only of tools. */
  tool_arguments: Schema.optionalWith(Schema.String, { exact: true }),
  /** Outcome of the use; only of tools. */
  tool_outcome: Schema.optionalWith(ToolUseOutcome, { exact: true }),
  /** Seconds that the use of the tool took; only of tools. */
  tool_seconds: Schema.optionalWith(Schema.Number, { exact: true }),
  /** A hand-over of the call to another agent; only of the tool `hand_over`. */
  handed_over: Schema.optionalWith(HandedOver, { exact: true }),
  /** The agent that spoke; only of agents to which the call was handed over. */
  app_id: Schema.optionalWith(AppId, { exact: true }),
  /** Transfer that the tool has tried; only of tools. */
  transfer: Schema.optionalWith(TransferRecord, { exact: true }),
  /** Only of the agent, on calls with sound. */
  timings: Schema.optionalWith(TurnTimings, { exact: true }),
  /** Why the turn ended; only of the caller, on calls with sound. */
  turn_end: Schema.optionalWith(TurnEnd, { exact: true })
})
export type TranscriptTurn = typeof TranscriptTurn.Type

/** Context of a call, passed to its handler. */
export interface CallBrief {
  readonly attempt_id: AttemptId
  readonly scope: Scope
  readonly direction: "inbound" | "outbound"
  readonly app_id: AppId
  readonly app_version: number
  readonly user_phone_number: PhoneNumber
  readonly agent_phone_number: PhoneNumber
  readonly agent_variables: Variables
  readonly app_overrides: AppOverrides
  /** Conduct when something other than a person answers; absent for inbound calls, and where nobody is to find out. */
  readonly answer_handling?: AnswerHandling
  /** Maximum duration of the call, in business time. */
  readonly maxDuration: Duration.Duration
  /** Log of the conversation, whose past is not empty where it goes on; absent for calls that end with their process. */
  readonly log?: CallLog
  /** Control of its recording; absent for calls that are not recorded. */
  readonly recording?: RecordingControl
}

/** Fields of the result of a conversation that its attempt keeps. */
export const resultFields = {
  ended_by: EndedBy,
  ...conversationFields,
  transcript: Schema.Array(TranscriptTurn),
  /** Average seconds between the end of the user's turn and the agent's reply; null without an exchange. */
  average_agent_response_seconds: Schema.NullOr(Schema.Number),
  average_user_response_seconds: Schema.NullOr(Schema.Number)
}

/** Result of a conversation. */
export const CallReport = Schema.Struct({
  /** The agent reached its goal, or the caller said goodbye after all required outputs were collected. */
  agent_done: Schema.Boolean,
  ...resultFields,
  /** The agent requests a retry. */
  business_retry: Schema.Boolean,
  /** Time of a promised callback, in epoch milliseconds. */
  reschedule_at: Schema.NullOr(Schema.Number),
  /** Set when the conversation failed on our side after it had begun. The reason is without secrets and personal data. */
  fault: Schema.NullOr(Schema.String),
  /** The agent ended the call for silence: the caller had said nothing and pressed nothing. Absent: false. */
  no_input: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** Party that answered, and what was done; absent where nobody was to find out. */
  answer: Schema.optionalWith(CallAnswer, { exact: true }),
  /** Requests to the model, in order; absent where there were none, or where they are not kept. */
  model_inputs: Schema.optionalWith(Schema.Array(ModelInput), { exact: true })
})
export type CallReport = typeof CallReport.Type

/** The conversation could not start, for example because the agent or its model is missing. */
export class CallFault extends Schema.TaggedError<CallFault>()("CallFault", {
  reason: Schema.String,
  /** Requests to the model before the fault. */
  model_inputs: Schema.optionalWith(Schema.Array(ModelInput), { exact: true })
}) {
  /** The reason alone: messages reach logs and traces, which texts of a call must not. */
  override get message() {
    return this.reason
  }
}

/** A conversation that had come to its end before its process stopped. */
export interface ConcludedCall {
  readonly report: CallReport
  /** Epoch milliseconds of business time. */
  readonly ended_at: number
}

/** Port that holds the conversation of a connected call. */
export class CallHandler extends Context.Tag("@trunkline/telephony/CallHandler")<CallHandler, {
  /** Runs the conversation to its end. The leg is closed when this returns. */
  readonly handle: (leg: Leg, brief: CallBrief) => Effect.Effect<CallReport, CallFault>
  /**
   * Reads from the log of a call that is over how its conversation had ended; none where something was left to say, to hear or
   * to do. Asks for no answer of a model and runs no tool. Absent where conversations end with their process.
   */
  readonly conclude?: (brief: CallBrief) => Effect.Effect<Option.Option<ConcludedCall>, CallFault>
}>() {
  /** Says one sentence and hangs up. */
  static readonly layerHello = Layer.succeed(CallHandler, {
    handle: (leg, brief) =>
      leg.say({ text: "Hello. Goodbye.", language_name: "English", interruptible: false }).pipe(
        Effect.zipRight(leg.hangUp),
        Effect.as(true),
        Effect.catchTag("LegEnded", () => Effect.succeed(false)),
        Effect.map((agent_done): CallReport => ({
          agent_done,
          ended_by: agent_done ? "agent" : "user",
          language_name: "English",
          transcript: [],
          final_agent_variables: brief.agent_variables,
          output_agent_variables: {},
          average_agent_response_seconds: null,
          average_user_response_seconds: null,
          business_retry: false,
          reschedule_at: null,
          fault: null
        }))
      )
  })
}
