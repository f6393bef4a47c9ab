import { fillTemplate } from "@trunkline/agents"
import { type AnswerVerdict, BusinessTime, type CallAnswer } from "@trunkline/kernel"
import type { AnswerHandling, CallBrief, CallFault, CallReport, Leg, TranscriptTurn } from "@trunkline/telephony"
import { Effect } from "effect"
import { announce, type AnswerEnd, type AnswerText, endCall, leaveMessage, turnsOf } from "./AnswerMachine.js"
import { firstVerdict } from "./FirstVerdict.js"
import { watchAnswer } from "./WatchedAnswer.js"

/** A call that was just answered, and how its conversation is held. */
export interface AnsweredCall {
  readonly leg: Leg
  readonly brief: CallBrief
  readonly handling: AnswerHandling
  /** Language of the agent, by its English name. */
  readonly language_name: string
  /** Holds the conversation with a person. */
  readonly converse: (leg: Leg) => Effect.Effect<CallReport, CallFault>
}

/** Action for a verdict: the agent goes on, or the effect runs in place of the conversation. */
type Handling = "goOn" | Effect.Effect<AnswerEnd | AnswerVerdict>

const handlingOf = ({ brief, handling, language_name, leg }: AnsweredCall, verdict: AnswerVerdict): Handling => {
  const textOf = (template: string): AnswerText => ({
    text: fillTemplate(template, brief.agent_variables),
    language_name
  })
  const { ivr, machine, screening } = handling
  switch (verdict.answered_by) {
    case "person":
    case "silence":
      return "goOn"
    case "fax":
    case "network":
      return endCall(leg, verdict)
    case "ivr":
      return ivr.action === "hang_up" ? endCall(leg, verdict) : "goOn"
    case "screening":
      if (screening.action === "announce") return announce(leg, verdict, textOf(screening.text ?? ""))
      return screening.action === "hang_up" ? endCall(leg, verdict) : "goOn"
    case "machine":
      if (machine.action === "leave_message") return leaveMessage(leg, verdict, textOf(machine.message ?? ""))
      return machine.action === "hang_up" ? endCall(leg, verdict) : "goOn"
  }
}

const answerOf = (verdict: AnswerVerdict, action: CallAnswer["action"]): CallAnswer => ({ ...verdict, action })

/** The report of a call in which no conversation was held. */
const emptyReport = ({ brief, language_name }: AnsweredCall): CallReport => ({
  agent_done: false,
  ended_by: "agent",
  language_name,
  transcript: [],
  final_agent_variables: brief.agent_variables,
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: null
})

/** Most verdicts in a call that are acted on: a machine that turns out to be a service, and its person. */
const maxVerdicts = 4

/** Holds the conversation, and ends it for a verdict that comes later. */
const converseWatched = (
  call: AnsweredCall,
  verdict: AnswerVerdict,
  { action, answeredAt, left, turns }: {
    readonly action: CallAnswer["action"]
    readonly answeredAt: number
    readonly left: number
    readonly turns: ReadonlyArray<TranscriptTurn>
  }
): Effect.Effect<CallReport, CallFault> => {
  const ends = (later: AnswerVerdict) => left > 0 && handlingOf(call, later) !== "goOn"
  return watchAnswer(
    { leg: call.leg, verdict, answeredAt, ends },
    (watch) =>
      Effect.flatMap(call.converse(watch.leg), (report): Effect.Effect<CallReport, CallFault> => {
        const whole = { ...report, transcript: [...turns, ...report.transcript] }
        return watch.isTaken() && report.fault === null
          ? act(call, watch.verdict(), { before: whole, answeredAt, left: left - 1, turns: [] })
          : Effect.succeed({ ...whole, answer: answerOf(watch.verdict(), action) })
      })
  )
}

/** Acts on a verdict until the call is over. */
const act = (
  call: AnsweredCall,
  verdict: AnswerVerdict,
  { answeredAt, before, left, turns }: {
    readonly answeredAt: number
    /** Report of a conversation that was ended for the verdict; null without one. */
    readonly before: CallReport | null
    readonly left: number
    readonly turns: ReadonlyArray<TranscriptTurn>
  }
): Effect.Effect<CallReport, CallFault> => {
  const handling = left > 0 ? handlingOf(call, verdict) : "goOn"
  if (handling === "goOn") return converseWatched(call, verdict, { action: "none", answeredAt, left, turns })
  return Effect.flatMap(handling, (end) => {
    if ("evidence" in end) return act(call, end, { answeredAt, before, left: left - 1, turns })
    const { action, ended_by, goesOn } = end
    const history = [...turns, ...end.turns]
    if (goesOn) return converseWatched(call, verdict, { action, answeredAt, left: 0, turns: history })
    const report = before ?? emptyReport(call)
    return Effect.succeed({
      ...report,
      agent_done: false,
      ended_by,
      transcript: [...report.transcript, ...history],
      answer: answerOf(verdict, action)
    })
  })
}

/**
 * Finds out who has answered a call, and does what its handling says: the conversation is held with a person, with silence, and
 * with what is only reported. Later words that tell of a machine end it.
 */
export const answerCall = (call: AnsweredCall): Effect.Effect<CallReport, CallFault> =>
  Effect.gen(function*() {
    const answeredAt = yield* BusinessTime.now
    const opening = yield* firstVerdict(call.leg, answeredAt)
    if (opening === null) return yield* call.converse(call.leg)
    const turns = yield* turnsOf(opening.heard, call.language_name)
    return yield* act(call, opening.verdict, { answeredAt, before: null, left: maxVerdicts, turns })
  })
