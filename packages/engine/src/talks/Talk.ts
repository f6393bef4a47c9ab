import { ModelInput } from "@trunkline/analytics"
import { AppId, VariableValue } from "@trunkline/kernel"
import { Schema } from "effect"

/** Most characters of what a person says at once. */
const maxTextLength = 4_000

const Values = Schema.Record({ key: Schema.String, value: VariableValue })

/** Words to an agent: those that begin a talk, or go on with one. */
export const TalkRequest = Schema.Struct({
  /** Talk to go on with, from the answer before; without it a new one begins, and the agent greets. */
  talk_id: Schema.optional(Schema.String),
  /** Version of the agent, a draft too; the newest by default. Only for a new talk. */
  app_version: Schema.optional(Schema.Int.pipe(Schema.positive())),
  /** Variables of the conversation. Only for a new talk. */
  agent_variables: Schema.optional(Values),
  /** English name of the language to begin in. Only for a new talk. */
  initial_language_name: Schema.optional(Schema.String),
  /** State, or step of a script, to begin in. Only for a new talk. */
  initial_state_name: Schema.optional(Schema.String),
  /** Words of the person; empty for a silence. */
  text: Schema.optional(Schema.String.pipe(Schema.maxLength(maxTextLength))),
  /** True when the person hangs up. */
  hang_up: Schema.optional(Schema.Boolean)
})
export type TalkRequest = typeof TalkRequest.Type

/** Something that happened in a talk. */
export const TalkEvent = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("said"),
    text: Schema.String,
    /** English name of the language. */
    language_name: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("tool"),
    name: Schema.String,
    /** Arguments as the model wrote them, normally JSON. */
    arguments: Schema.String,
    result: Schema.String
  })
)
export type TalkEvent = typeof TalkEvent.Type

/** Answer of an agent, up to where it listens again or the talk is over. */
export const TalkAnswer = Schema.Struct({
  talk_id: Schema.String,
  app_id: AppId,
  app_version: Schema.Int,
  /** `listening`: the agent waits for words. `ended`: the talk is over, and its id no more. */
  status: Schema.Literal("listening", "ended"),
  /** Events since the answer before, in order. */
  events: Schema.Array(TalkEvent),
  /** Variables of the conversation, given and set. */
  agent_variables: Values,
  /** Values that the agent has found out. */
  output_agent_variables: Values,
  /** Step of the script that waits for a reply; null without one. */
  step: Schema.NullOr(Schema.String),
  /** Requests to the model since the answer before, as in the record of a call: the first repeats nothing of it. */
  model_inputs: Schema.Array(ModelInput),
  /** Tokens of the model in this answer. */
  tokens: Schema.Struct({ input: Schema.Int, output: Schema.Int }),
  /** Milliseconds that the answer took. */
  took: Schema.Int,
  /** Outcome of a talk that is over; null before. */
  outcome: Schema.NullOr(Schema.Struct({
    agent_done: Schema.Boolean,
    ended_by: Schema.Literal("agent", "user", "provider", "timeout"),
    /** Fault of the agent or its model; null without one. */
    fault: Schema.NullOr(Schema.String)
  }))
})
export type TalkAnswer = typeof TalkAnswer.Type
