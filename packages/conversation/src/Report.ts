import { requiredOutputs } from "@trunkline/agents"
import { BusinessTime } from "@trunkline/kernel"
import type { CallReport, TranscriptTurn } from "@trunkline/telephony"
import { Effect } from "effect"
import { type CallPlan, type CallState, type SpokenTurn, variablesNow } from "./CallState.js"
import type { Translate } from "./Translate.js"

/** What a report says of a conversation that broke on our side. */
export const modelFault = "The language model could not answer."

/** Whether the agent reached its goal (telephony 1.4): the required outputs are there, and agent or caller took leave. */
const isDone = (plan: CallPlan, state: CallState): boolean =>
  (state.closing === "done" || (state.closing === null && state.endedBy === "user" && state.tookLeave)) &&
  !state.businessRetry &&
  state.rescheduleAt === null &&
  requiredOutputs(plan.version).every((name) => Object.hasOwn(state.outputs, name))

/** The language of the conversation: the latest of the caller's that was also the agent's, else the agent's. */
const spokenLanguage = ({ version: { languages } }: CallPlan, state: CallState): string | null =>
  (state.turns.findLast((turn) => turn.role === "user" && languages.some((spoken) => spoken === turn.language_name)) ??
    state.turns.findLast((turn) => turn.role === "agent") ??
    state.turns.findLast((turn) => turn.language_name !== null))?.language_name ?? null

/** Waits during which the clocks were set back count as none. */
const averageSeconds = (waits: ReadonlyArray<number>): number | null =>
  waits.length === 0
    ? null
    : Math.round(waits.reduce((sum, wait) => sum + Math.max(0, wait), 0) / waits.length) / 1000

const transcribe = (translate: Translate.Service) => (turn: SpokenTurn): Effect.Effect<TranscriptTurn> => {
  const { at, language_name, role, text } = turn
  const base = { role, language_name, at }
  if (language_name === null || language_name === "English") {
    return Effect.succeed({ ...base, en_text: turn.en_text ?? text, indic_text: null })
  }
  const english = turn.en_text === null ? translate.toEnglish({ text, language_name }) : Effect.succeed(turn.en_text)
  return Effect.map(english, (en_text) => ({ ...base, en_text, indic_text: text }))
}

/** Writes the report of a call that is over; transcripts are translated outside business time. */
export const report = Effect.fn("Conversation.report")(
  function*(plan: CallPlan, state: CallState, translate: Translate.Service) {
    const transcript = yield* BusinessTime.hold(Effect.forEach(state.turns, transcribe(translate)))
    return {
      agent_done: isDone(plan, state),
      ended_by: state.endedBy ?? "agent",
      language_name: spokenLanguage(plan, state),
      transcript,
      final_agent_variables: variablesNow(plan, state),
      output_agent_variables: state.outputs,
      average_agent_response_seconds: averageSeconds(state.agentWaits),
      average_user_response_seconds: averageSeconds(state.userWaits),
      business_retry: state.businessRetry,
      reschedule_at: state.rescheduleAt,
      fault: state.closing === "fault" ? modelFault : null
    } satisfies CallReport
  }
)
