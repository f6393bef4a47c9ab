import type { ToolRequest } from "@trunkline/models"
import type { BegunUtterance, Leg, LegEnded } from "@trunkline/telephony"
import { Effect } from "effect"
import {
  type CallPlan,
  type CallState,
  type FlowCommand,
  type FlowEvent,
  initialState,
  type Step
} from "./state/CallState.js"
import type { CutOffWork, PastConversation, StepLog } from "./state/StepLog.js"
import { step } from "./Step.js"
import { isLineTool } from "./tools/LineTools.js"
import type { ToolOutcome } from "./tools/ToolOutcome.js"

/** The step at which a conversation goes on: its events, one after the other. */
export const replay = (plan: CallPlan, { events }: PastConversation): Step =>
  events.reduce<Step>(
    ({ state }, { at, event }) => step(plan, state, event, at),
    step(plan, initialState(plan), { _tag: "Answered" }, plan.startedAt)
  )

/** A conversation that had come to its end by its log. */
interface ConcludedConversation {
  readonly state: CallState
  /** Moment of the end, in epoch milliseconds of business time. */
  readonly at: number
  /** Events, with the last one, which the log lacks where the process stopped before it. */
  readonly events: PastConversation["events"]
}

/** The end of a conversation by its log; null where something was left to say, to hear or to do. */
export const concluded = (plan: CallPlan, past: PastConversation): ConcludedConversation | null => {
  const { command, state } = replay(plan, past)
  const at = past.endedAt ?? past.events.at(-1)?.at ?? plan.startedAt
  if (command._tag === "Finish") return { state, at, events: past.events }
  const event = lastEvent(command, past)
  if (event === null) return null
  const next = step(plan, state, event, at)
  return next.command._tag === "Finish" ? { state: next.state, at, events: [...past.events, { event, at }] } : null
}

/** Event with which a command that was cut off is done already; null where it is not. */
const lastEvent = (command: FlowCommand, { toolOutcomes }: PastConversation): FlowEvent | null => {
  if (command._tag === "HangUp") return { _tag: "HungUp" }
  if (command._tag !== "UseTools") return null
  const outcomes = command.uses.flatMap((_, index) => toolOutcomes.get(index) ?? [])
  return outcomes.length < command.uses.length ? null : { _tag: "ToolsAnswered", outcomes, filler: null }
}

/** Words and keys that a conversation has taken from its leg. */
const inputsOf = ({ events }: PastConversation): number =>
  events.filter(({ event }) =>
    event._tag === "Heard" && (event.heard._tag === "Said" || event.heard._tag === "Pressed")
  )
    .length

/** Lets the leg go on where the conversation does; returns the utterance that was begun there. */
export const resumeLeg = ({ continuity }: Leg, past: PastConversation): BegunUtterance | null =>
  continuity?.resume({ inputs: inputsOf(past), utterance: past.events.length }) ?? null

/**
 * Hears a begun answer of the model to its end. One that was written to its end goes on as if nothing had happened; of any other
 * nobody knows the rest, and the model is asked again.
 */
export const endAnswer = (
  leg: Leg,
  { language }: CallState,
  { isComplete, text }: BegunUtterance,
  { events, wrote }: PastConversation
): Effect.Effect<FlowEvent, LegEnded> =>
  Effect.map(
    leg.say({ text, language_name: language, interruptible: true, number: events.length }),
    (spoken): FlowEvent => {
      if (wrote === null || !isComplete) return { _tag: "CutOff", text, spoken }
      const moments = { firstTokenAt: null, firstClauseAt: null }
      return { _tag: "Replied", reply: { ...wrote, text, spoken, failure: null, ...moments } }
    }
  )

/** Result of a tool whose process stopped before it was known. */
const unknownOutcome =
  "It is not known whether this was done: the line was away for a moment. It is not repeated by itself. "
  + "Tell the caller if it matters, or find out with another tool."

/** Runs each tool of a call at most once, also when the process stops meanwhile. */
export interface ToolGuard {
  (index: number, request: ToolRequest, use: Effect.Effect<ToolOutcome>): Effect.Effect<ToolOutcome>
}

/** Makes the guard of a call with a log. Only tools that are marked as repeatable run again after they were begun. */
export const guardTools =
  ({ version }: CallPlan, log: StepLog, cutOff: CutOffWork | null): ToolGuard => (index, request, use) => {
    const outcome = cutOff?.toolOutcomes.get(index)
    if (outcome !== undefined) return Effect.succeed(outcome)
    // A tool that the version does not list is our own: the search of knowledge only reads, and those of the line act.
    const tool = version.tools.find(({ name }) => name === request.name)
    const isRepeatable = tool === undefined ? !isLineTool(version, request.name) : tool.repeatable === true
    if (cutOff?.startedTools.has(index) === true && !isRepeatable) {
      return Effect.succeed({ request, content: unknownOutcome, set: {}, outcome: "timed_out", seconds: 0 })
    }
    const used = Effect.tap(use, (outcome) => log.did(index, outcome))
    return log.stay(isRepeatable ? used : Effect.zipRight(log.tool(index), used))
  }
