import {
  type CallPlan,
  type FlowCommand,
  type FlowEvent,
  initialState,
  type Step,
  step,
  withLastWords
} from "@trunkline/conversation/steps"
import type { ToolRequest } from "@trunkline/models"
import type { Spoken } from "@trunkline/telephony"
import type { CallTrace, TraceEntry } from "../trace/CallTrace.js"
import { canonical, differencesOf, fingerprintOf } from "../trace/Fingerprint.js"
import type { TapedEvent } from "../trace/RecordTrace.js"

/** Place at which an agent does something else than the one of the trace, so that what followed there answers it no more. */
export interface Divergence {
  /** Number of turns that were said and heard before it. */
  readonly turn: number
  /** Epoch milliseconds of business time. */
  readonly at: number
  readonly reason: string
}

/** A conversation as far as its trace holds. */
export interface Followed {
  readonly step: Step
  /** Events that it has taken from the trace. */
  readonly events: ReadonlyArray<TapedEvent>
  /** Number of answers of the model among them. */
  readonly answers: number
  /** Null when the trace has led to the end of the call. */
  readonly divergence: Divergence | null
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/\S+\s*/gu) ?? []

/** Part that is heard of another text in place of one: the same share of its words. */
const heardOf = (utterance: Spoken, before: string, now: string): Spoken => {
  if (!utterance.interrupted && utterance.endedBy === undefined && utterance.failed !== true) {
    return { ...utterance, heard: now }
  }
  const share = wordsOf(utterance.heard).length / Math.max(1, wordsOf(before).length)
  const words = wordsOf(now)
  return { ...utterance, heard: words.slice(0, Math.round(words.length * Math.min(1, share))).join("").trimEnd() }
}

const sameRequests = (some: ReadonlyArray<ToolRequest>, others: ReadonlyArray<ToolRequest>): boolean =>
  some.length === others.length &&
  some.every((one, index) => {
    const other = others[index]
    return other?.name === one.name && canonical(other.arguments) === canonical(one.arguments)
  })

const actions: Readonly<Record<FlowCommand["_tag"], string>> = {
  Say: "speaks",
  Listen: "listens",
  Think: "asks the model",
  UseTools: "uses tools",
  Summarise: "asks for a summary",
  HangUp: "hangs up",
  Finish: "has ended the call"
}

const pastActions: Readonly<Record<FlowEvent["_tag"], string>> = {
  Answered: "was called",
  Spoke: "spoke",
  Heard: "listened",
  Thought: "asked the model",
  Replied: "asked the model",
  CutOff: "asked the model",
  ModelFailed: "asked the model",
  WentOn: "was about to answer",
  ToolsAnswered: "used tools",
  Summarised: "asked for a summary",
  TimeUp: "was out of time",
  LineEnded: "lost the line",
  HungUp: "hung up"
}

/** The event of an entry as the answer to a command; a reason where it answers another one. */
const answerOf = (
  plan: CallPlan,
  command: FlowCommand,
  { asked, at, event, say }: TraceEntry
): FlowEvent | string => {
  const otherwise = `it ${actions[command._tag]} where the agent of the trace ${pastActions[event._tag]}`
  if (command._tag === "Finish") return otherwise
  switch (event._tag) {
    case "Spoke":
      if (command._tag !== "Say") return otherwise
      return say === undefined || say === command.utterance.text
        ? event
        : { ...event, spoken: heardOf(event.spoken, say, command.utterance.text) }
    case "Heard":
      // Before the model is asked again, the agent listens to a caller who has spoken meanwhile.
      return command._tag === "Listen" || command._tag === "Think" ? event : otherwise
    case "Thought":
    case "Replied":
    case "CutOff":
    case "ModelFailed":
    case "Summarised": {
      if (command._tag !== (event._tag === "Summarised" ? "Summarise" : "Think")) return otherwise
      const parts = differencesOf(asked ?? "", fingerprintOf(command.request))
      return parts.length === 0 ? event : `the model is asked with ${parts.join(" and ")}`
    }
    case "ToolsAnswered":
      if (command._tag !== "UseTools") return otherwise
      return sameRequests(command.uses.map(({ request }) => request), event.outcomes.map(({ request }) => request))
        ? event
        : "it uses other tools, or the same with other arguments"
    case "WentOn":
      return command._tag === "Say" || command._tag === "Think" ? event : otherwise
    case "TimeUp":
      return at >= (command._tag === "Listen" ? plan.closeAt : plan.endAt) ? event : "it may talk for longer"
    case "HungUp":
      return command._tag === "HangUp" ? event : otherwise
    case "LineEnded":
      return event
    case "Answered":
      return otherwise
  }
}

/** Leads the agent of a plan through a trace, as long as each event answers what the agent does. */
export const followTrace = (plan: CallPlan, { end, entries }: CallTrace): Followed => {
  let next = step(plan, initialState(plan), { _tag: "Answered" }, plan.startedAt)
  const events: Array<TapedEvent> = []
  let answers = 0
  let at = plan.startedAt
  const divergenceFor = (reason: string): Followed => ({
    step: next,
    events,
    answers,
    divergence: { turn: next.state.turns.length, at, reason }
  })
  for (const entry of entries) {
    if (next.command._tag === "Finish") break
    const event = answerOf(plan, next.command, entry)
    if (typeof event === "string") return divergenceFor(event)
    at = entry.at
    events.push({ event, at })
    if (event._tag === "Thought" || event._tag === "Replied") answers += 1
    next = step(plan, next.state, event, at)
  }
  if (next.command._tag !== "Finish") {
    return divergenceFor(
      end.is_whole ? `it ${actions[next.command._tag]} where the call was over` : "the trace was cut off here"
    )
  }
  const state = events.length === entries.length ? withLastWords(next.state, end.last_words, end.ended_at) : next.state
  return { step: { ...next, state }, events, answers, divergence: null }
}
