// A conversation that can go on in another process has a log of its events. `step` is a pure function, so the events lead to
// the same state again. In order: `Begin`, then for each command what it has done that must not be done twice (`Wrote`, `Tool`,
// `Did`, `End`) and the `Event` in which it ended. What follows the last event belongs to the command that was cut off.

import { BusinessTime, Variables } from "@trunkline/kernel"
import { type Completion, emptyCompletion } from "@trunkline/models"
import { type CallLog, EndedBy, ToolUseOutcome, TransferRecord } from "@trunkline/telephony"
import { Effect, Schema } from "effect"
import type { ToolOutcome } from "../tools/ToolOutcome.js"
import type { FlowEvent } from "./CallState.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Spoken = Schema.Struct({
  heard: Schema.String,
  interrupted: Schema.Boolean,
  failed: optional(Schema.Boolean),
  reason: optional(Schema.String),
  endedBy: optional(EndedBy),
  startedAt: optional(Schema.Number)
})

/** Something that was heard, as JSON. */
export const HeardJson = Schema.Union(
  Schema.TaggedStruct("Said", {
    text: Schema.String,
    en_text: Schema.NullOr(Schema.String),
    language_name: Schema.NullOr(Schema.String),
    endedAt: optional(Schema.Number),
    ownReply: optional(Schema.NullOr(Schema.Struct({ text: Schema.String, startedAt: Schema.Number })))
  }),
  Schema.TaggedStruct("Pressed", { digit: Schema.String }),
  Schema.TaggedStruct("Silent", {}),
  Schema.TaggedStruct("Unheard", { reason: optional(Schema.String) })
)

const Request = Schema.Struct({ id: Schema.String, name: Schema.String, arguments: Schema.String })

/** Part of a response of the model that a conversation needs. */
const Written = Schema.transform(
  Schema.Struct({
    text: Schema.String,
    toolRequests: Schema.Array(Request),
    finish: Schema.Literal("stop", "length", "tool_calls", "content_filter")
  }),
  Schema.declare((value): value is Completion =>
    typeof value === "object" && value !== null && "toolRequests" in value
  ),
  {
    strict: true,
    decode: (response): Completion => ({ ...emptyCompletion, ...response }),
    encode: ({ finish, text, toolRequests }) => ({ text, toolRequests, finish })
  }
)

const Reply = Schema.Struct({
  completion: Written,
  text: Schema.String,
  spoken: Schema.NullOr(Spoken),
  isFiller: Schema.Boolean,
  failure: Schema.NullOr(Schema.String),
  firstTokenAt: Schema.NullOr(Schema.Number),
  firstClauseAt: Schema.NullOr(Schema.Number)
})

const Outcome = Schema.Struct({
  request: Request,
  content: Schema.String,
  set: Variables,
  outcome: ToolUseOutcome,
  seconds: Schema.Number,
  transfer: optional(TransferRecord),
  said: optional(Schema.Struct({ text: Schema.String, language_name: Schema.String, at: Schema.Number }))
})

const Filler = Schema.Struct({
  text: Schema.String,
  language_name: Schema.String,
  english: Schema.NullOr(Schema.String),
  after: Schema.Number,
  since: Schema.Number,
  spoken: Spoken
})

/** Event of a call as JSON. Of a response of the model it keeps what a conversation needs. */
export const CallEventJson = Schema.Union(
  Schema.TaggedStruct("Answered", {}),
  Schema.TaggedStruct("Spoke", { spoken: Spoken }),
  Schema.TaggedStruct("Heard", { heard: HeardJson }),
  Schema.TaggedStruct("Thought", { completion: Written }),
  Schema.TaggedStruct("Replied", { reply: Reply }),
  Schema.TaggedStruct("CutOff", { text: Schema.String, spoken: Spoken }),
  Schema.TaggedStruct("ModelFailed", { reason: Schema.String }),
  Schema.TaggedStruct("WentOn", {}),
  Schema.TaggedStruct("ToolsAnswered", { outcomes: Schema.Array(Outcome), filler: Schema.NullOr(Filler) }),
  Schema.TaggedStruct("Summarised", { summary: Schema.NullOr(Schema.String) }),
  Schema.TaggedStruct("TimeUp", { outcomes: Schema.Array(Outcome) }),
  Schema.TaggedStruct("LineEnded", { by: EndedBy }),
  Schema.TaggedStruct("HungUp", {})
)

const Entry = Schema.parseJson(Schema.Union(
  Schema.TaggedStruct("Begin", { startedAt: Schema.Number }),
  Schema.TaggedStruct("Event", { event: CallEventJson, at: Schema.Number }),
  Schema.TaggedStruct("Wrote", { completion: Written, isFiller: Schema.Boolean }),
  Schema.TaggedStruct("Tool", { index: Schema.Number }),
  Schema.TaggedStruct("Did", { index: Schema.Number, outcome: Outcome }),
  Schema.TaggedStruct("End", { at: Schema.Number })
))

const encode = Schema.encodeSync(Entry)
const decode = Schema.decodeSync(Entry)

/** Work that the command that was cut off had done already. */
export interface CutOffWork {
  /** The response of the model, when it was complete; null otherwise. */
  readonly wrote: { readonly completion: Completion; readonly isFiller: boolean } | null
  /** Tools that were begun, by their place among the requests. */
  readonly startedTools: ReadonlySet<number>
  /** Outcomes of tools. */
  readonly toolOutcomes: ReadonlyMap<number, ToolOutcome>
  /** Epoch milliseconds at which the agent was about to hang up; null when it was not. */
  readonly endedAt: number | null
}

/** Work of a command that no process has begun. */
export const noCutOffWork: CutOffWork = { wrote: null, startedTools: new Set(), toolOutcomes: new Map(), endedAt: null }

/** The past of a conversation that goes on. */
export interface PastConversation extends CutOffWork {
  /** Epoch milliseconds of business time; null when it had not begun. */
  readonly startedAt: number | null
  readonly events: ReadonlyArray<{ readonly event: FlowEvent; readonly at: number }>
}

/** Reads the past of a conversation. */
export const readPast = (past: CallLog["past"]): PastConversation => {
  const entries = past.map((text) => decode(text))
  const last = entries.findLastIndex(({ _tag }) => _tag === "Event")
  const rest = entries.slice(last + 1)
  const wrote = rest.find((entry) => entry._tag === "Wrote")
  return {
    startedAt: entries.find((entry) => entry._tag === "Begin")?.startedAt ?? null,
    events: entries.filter((entry) => entry._tag === "Event"),
    wrote: wrote ?? null,
    startedTools: new Set(rest.flatMap((entry) => entry._tag === "Tool" ? [entry.index] : [])),
    endedAt: rest.find((entry) => entry._tag === "End")?.at ?? null,
    toolOutcomes: new Map(rest.flatMap((entry) => entry._tag === "Did" ? [[entry.index, entry.outcome] as const] : []))
  }
}

/** Writes the log of a conversation. */
export interface StepLog {
  /** Number of events so far. */
  readonly events: () => number
  readonly begin: (startedAt: number) => void
  readonly event: (event: FlowEvent, at: number) => void
  /** The model has written its response; completes when that is stored. */
  readonly wrote: (completion: Completion, isFiller: boolean) => Effect.Effect<void>
  /** A tool begins; completes when that is stored. */
  readonly tool: (index: number) => Effect.Effect<void>
  /** A tool has an outcome; completes when that is stored. */
  readonly did: (index: number, outcome: ToolOutcome) => Effect.Effect<void>
  /** The agent is about to hang up; completes when that is stored, since only the log can tell of a call that is over. */
  readonly end: Effect.Effect<void>
  /** Uses a tool: the call is not left to another process before its outcome is stored, unless that takes long. */
  readonly stay: CallLog["stay"]
}

/** Makes the writer of a log with a number of events. */
export const makeStepLog = ({ keep, note, stay }: CallLog, events: number): StepLog => {
  let count = events
  return {
    events: () => count,
    begin: (startedAt) => note(encode({ _tag: "Begin", startedAt })),
    event: (event, at) => {
      count += 1
      note(encode({ _tag: "Event", event, at }))
    },
    wrote: (completion, isFiller) => Effect.suspend(() => keep(encode({ _tag: "Wrote", completion, isFiller }))),
    tool: (index) => Effect.suspend(() => keep(encode({ _tag: "Tool", index }))),
    end: Effect.flatMap(BusinessTime.now, (at) => keep(encode({ _tag: "End", at }))),
    did: (index, outcome) => Effect.suspend(() => keep(encode({ _tag: "Did", index, outcome }))),
    stay
  }
}
