import { type AppId, type AttemptId, type PhoneNumber, type Scope, Variables } from "@trunkline/kernel"
import { Context, type Duration, Effect, Layer, Schema } from "effect"
import { EndedBy, type Leg } from "./Leg.js"

/** What one call may change about the agent (shapes 5.1). */
export const AppOverrides = Schema.Struct({
  initial_bot_message: Schema.optional(Schema.String),
  initial_language_name: Schema.optional(Schema.String),
  initial_state_name: Schema.optional(Schema.String)
})
export type AppOverrides = typeof AppOverrides.Type

/** One turn of a conversation as it is kept: `en_text` is English, `indic_text` the original of another language. */
export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "user", "tool"),
  en_text: Schema.String,
  indic_text: Schema.NullOr(Schema.String),
  language_name: Schema.NullOr(Schema.String),
  /** Epoch milliseconds, business time. */
  at: Schema.Number
})
export type TranscriptTurn = typeof TranscriptTurn.Type

/** What the handler of a call is told. */
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
  /** The longest the call may last, in business time. */
  readonly maxDuration: Duration.Duration
}

/** What came of a conversation. */
export const CallReport = Schema.Struct({
  /** The agent reached its goal, or the caller said goodbye after all required outputs were collected. */
  agent_done: Schema.Boolean,
  ended_by: EndedBy,
  language_name: Schema.NullOr(Schema.String),
  transcript: Schema.Array(TranscriptTurn),
  final_agent_variables: Variables,
  output_agent_variables: Variables,
  /** Seconds from the end of the user's words to the agent's, averaged; null without an exchange. */
  average_agent_response_seconds: Schema.NullOr(Schema.Number),
  average_user_response_seconds: Schema.NullOr(Schema.Number),
  /** The agent asks for another try. */
  business_retry: Schema.Boolean,
  /** The agent promised a call back at this moment, epoch milliseconds. */
  reschedule_at: Schema.NullOr(Schema.Number),
  /** Set when the conversation broke on our side after it had begun; never a cause or a secret. */
  fault: Schema.NullOr(Schema.String)
})
export type CallReport = typeof CallReport.Type

/** The conversation could not even begin: no such agent, no model. */
export class CallFault extends Schema.TaggedError<CallFault>()("CallFault", { reason: Schema.String }) {}

/** Takes an answered call and talks. */
export class CallHandler extends Context.Tag("@trunkline/telephony/CallHandler")<CallHandler, {
  /** Holds the conversation to its end; when it returns the line is closed. */
  readonly handle: (leg: Leg, brief: CallBrief) => Effect.Effect<CallReport, CallFault>
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
