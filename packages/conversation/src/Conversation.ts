import { AgentCatalog, requiredOutputs } from "@trunkline/agents"
import { BusinessTime, makeHistogram, withSpan } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import {
  type CallBrief,
  CallFault,
  CallHandler,
  type CallReport,
  type Leg,
  type TranscriptTurn
} from "@trunkline/telephony"
import { Effect, Layer } from "effect"
import { type CallPlan, type CallState, currentVariables, planCall, type SpokenTurn } from "./CallState.js"
import {
  AgentTools,
  conversationDefaults,
  type ConversationOptions,
  Tenants,
  Translate
} from "./ConversationOptions.js"
import { converse } from "./Interpreter.js"
import { makeLackingVariables } from "./LackingVariables.js"

/** Returns true when the agent reached its goal: all required outputs are set, and the agent or the caller said goodbye. */
const isDone = (plan: CallPlan, state: CallState): boolean =>
  (state.closing === "done" || (state.closing === null && state.endedBy === "user" && state.saidGoodbye)) &&
  !state.businessRetry &&
  state.rescheduleAt === null &&
  requiredOutputs(plan.version).every((name) => Object.hasOwn(state.outputs, name))

/** True when the agent ended the call for silence, and the caller had said nothing and pressed nothing. */
const hasNoInput = ({ closing, turns }: CallState): boolean =>
  closing === "silence" && !turns.some(({ role }) => role === "user")

/** The language of the conversation: the last one of the caller that the agent speaks, else that of the agent. */
const spokenLanguage = ({ version: { languages } }: CallPlan, state: CallState): string | null =>
  (state.turns.findLast((turn) => turn.role === "user" && languages.some((spoken) => spoken === turn.language_name)) ??
    state.turns.findLast((turn) => turn.role === "agent") ??
    state.turns.findLast((turn) => turn.language_name !== null))?.language_name ?? null

/** Negative response times, after a clock was set back, count as zero. */
const averageSeconds = (waits: ReadonlyArray<number>): number | null =>
  waits.length === 0
    ? null
    : Math.round(waits.reduce((sum, wait) => sum + Math.max(0, wait), 0) / waits.length) / 1000

const transcribe = (translate: Translate.Service) => (turn: SpokenTurn): Effect.Effect<TranscriptTurn> => {
  const { at, language_name, role, text, timings, tool } = turn
  const base = {
    role,
    language_name,
    at,
    ...(tool && { tool_name: tool.name, tool_arguments: tool.arguments }),
    ...(timings && { timings })
  }
  if (language_name === null || language_name === "English") {
    return Effect.succeed({ en_text: turn.en_text ?? text, indic_text: null, ...base })
  }
  const english = turn.en_text === null ? translate.toEnglish({ text, language_name }) : Effect.succeed(turn.en_text)
  return Effect.map(english, (en_text) => ({ en_text, indic_text: text, ...base }))
}

const bounds = [0.2, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 5]

const turnGap = makeHistogram({
  name: "trunkline_turn_gap_seconds",
  help: "Time from the last voice of the caller to the first sound of the agent",
  bounds
})

const answerStep = makeHistogram({
  name: "trunkline_answer_step_seconds",
  help: "Time from the last voice of the caller to a step of the answer",
  labels: { step: ["words", "first_token", "first_clause"] },
  bounds
})

/** Adds the answers of a call to the metrics. */
const measureAnswers = ({ turns }: CallState): void => {
  for (const { timings } of turns) {
    if (timings === undefined || timings.ended_at === null) continue
    const { ended_at, first_clause_at, first_sound_at, first_token_at, words_at } = timings
    if (first_sound_at !== null) turnGap.record((first_sound_at - ended_at) / 1_000)
    const steps = { words: words_at, first_token: first_token_at, first_clause: first_clause_at }
    for (const [step, at] of Object.entries(steps)) {
      if (at !== null) answerStep.record((at - ended_at) / 1_000, { step })
    }
  }
}

/** The report of an ended call. Transcripts are translated outside business time. */
const makeReport = Effect.fnUntraced(
  function*(plan: CallPlan, state: CallState, translate: Translate.Service) {
    const transcript = yield* BusinessTime.hold(Effect.forEach(state.turns, transcribe(translate)))
    return {
      agent_done: isDone(plan, state),
      ended_by: state.endedBy ?? "agent",
      language_name: spokenLanguage(plan, state),
      transcript,
      final_agent_variables: currentVariables(plan, state),
      output_agent_variables: state.outputs,
      average_agent_response_seconds: averageSeconds(state.agentWaits),
      average_user_response_seconds: averageSeconds(state.userWaits),
      business_retry: state.businessRetry,
      reschedule_at: state.rescheduleAt,
      fault: state.fault,
      ...(hasNoInput(state) && { no_input: true })
    } satisfies CallReport
  }
)

/** Runs a conversation in a span by the conventions of OpenTelemetry for agents. */
const withAgentSpan = ({ app_id, app_version }: CallBrief) =>
  withSpan(`invoke_agent ${app_id}`, () => ({
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "trunkline",
      "gen_ai.agent.id": app_id,
      "gen_ai.agent.name": app_id,
      "gen_ai.agent.version": String(app_version)
    }
  }))

const layerWith = (
  options: Partial<ConversationOptions>
): Layer.Layer<CallHandler, never, AgentCatalog | LanguageModel> =>
  Layer.effect(
    CallHandler,
    Effect.gen(function*() {
      const agents = yield* AgentCatalog
      const model = yield* LanguageModel
      const tools = yield* AgentTools
      const tenants = yield* Tenants
      const translate = yield* Translate
      const warnOfLacking = makeLackingVariables()

      const hold = Effect.fnUntraced(function*(leg: Leg, brief: CallBrief) {
        const startedAt = yield* BusinessTime.now
        const version = yield* Effect.flatten(agents.version(brief.scope, brief.app_id, brief.app_version)).pipe(
          Effect.mapError(() => new CallFault({ reason: "There is no such version of the agent." })),
          Effect.tapError(() => leg.hangUp)
        )
        const tenant = yield* tenants.of(brief.scope)
        const plan = planCall({ version, brief, tenant, startedAt, options: { ...conversationDefaults, ...options } })
        const state = yield* converse({ plan, leg, model, handlers: tools.of(brief) })
        measureAnswers(state)
        yield* warnOfLacking(version, brief, state.lacking)
        return state.fault !== null && !state.answered
          ? yield* new CallFault({ reason: state.fault })
          : yield* makeReport(plan, state, translate)
      })

      return CallHandler.of({ handle: (leg, brief) => withAgentSpan(brief)(hold(leg, brief)) })
    })
  )

/**
 * A `CallHandler` that lets agents hold calls: those with a script step by step, all others with the language model.
 *
 * The agent greets, listens, responds and says goodbye. It asks into silences, follows the caller's language if it speaks
 * it, and ends the call in time. Every call has exactly one report, whose transcript holds only heard text. A model that
 * fails before its first response is a `CallFault`; later it is the `fault` of the report.
 *
 * It does not detect answering machines, which some carriers do.
 *
 * @example
 * ```ts
 * const handler = Conversation.layer.pipe(Layer.provide(AgentCatalog.layerOf([agent])))
 * ```
 */
export const Conversation = {
  /** Conversations with {@link conversationDefaults}. */
  layer: layerWith({}),
  /** Conversations with other options. */
  layerWith
}
