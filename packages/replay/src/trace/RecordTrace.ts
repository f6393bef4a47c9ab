import {
  type CallPlan,
  currentVariables,
  type FlowCommand,
  type FlowEvent,
  initialState,
  step
} from "@trunkline/conversation/steps"
import type { Completion } from "@trunkline/models"
import type { CallReport, Heard } from "@trunkline/telephony"
import { Duration, Struct } from "effect"
import { type CallTrace, encodeTrace, type TraceEntry, traceVersion } from "./CallTrace.js"
import { fingerprintOf } from "./Fingerprint.js"
import { makeRedactor, type RedactRule } from "./RedactTrace.js"

/** An event with its moment. */
export interface TapedEvent {
  readonly event: FlowEvent
  readonly at: number
}

/** All that a tape has taken. */
export interface Taped {
  readonly plan: CallPlan
  readonly events: ReadonlyArray<TapedEvent>
  /** False when events are missing at the end. */
  readonly isWhole: boolean
  readonly lastWords: ReadonlyArray<Heard>
  readonly endedAt: number
  readonly report: CallReport
}

const completionIn = (event: FlowEvent): Completion | null =>
  event._tag === "Thought" ? event.completion : event._tag === "Replied" ? event.reply.completion : null

const entryOf = (
  command: FlowCommand,
  { at, event }: TapedEvent,
  read: (text: string) => string
): TraceEntry => {
  const usage = completionIn(event)?.usage ?? null
  return {
    at,
    event,
    ...(command._tag === "Say" && { say: command.utterance.text }),
    ...((command._tag === "Think" || command._tag === "Summarise") && { asked: fingerprintOf(command.request, read) }),
    ...(usage !== null && { tokens: { input: usage.inputTokens, output: usage.outputTokens } })
  }
}

/**
 * Writes the trace of a conversation that has ended. Its steps are a pure function of its events, so the texts and requests
 * that the events answer are found by doing them again.
 */
export const recordTrace = (
  { endedAt, events, isWhole, lastWords, plan, report }: Taped,
  rules: ReadonlyArray<RedactRule>
): string => {
  const { brief } = plan
  let next = step(plan, initialState(plan), { _tag: "Answered" }, plan.startedAt)
  const steps = events.map((taped) => {
    const { command } = next
    next = step(plan, next.state, taped.event, taped.at)
    return { command, taped }
  })
  const redactor = makeRedactor(rules, {
    phone: brief.user_phone_number,
    variables: currentVariables(plan, next.state)
  })
  const trace: CallTrace = {
    trace: "trunkline",
    version: traceVersion,
    ...Struct.pick(
      brief,
      "attempt_id",
      "app_id",
      "app_version",
      "direction",
      "agent_phone_number",
      "agent_variables",
      "app_overrides"
    ),
    max_duration_seconds: Duration.toSeconds(brief.maxDuration),
    started_at: plan.startedAt,
    entries: steps.map(({ command, taped }) => entryOf(command, taped, redactor.text)),
    end: { is_whole: isWhole, last_words: lastWords, ended_at: endedAt, report: Struct.omit(report, "model_inputs") }
  }
  return encodeTrace(trace, redactor.line)
}
