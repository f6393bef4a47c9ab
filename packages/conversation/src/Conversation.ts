import {
  AgentCatalog,
  AgentKnowledge,
  type AgentTool,
  type AgentVersion,
  knowledgeHandlers,
  recordingHandlers,
  requiredOutputs
} from "@trunkline/agents"
import { BusinessTime, withSpan } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { type CallBrief, CallFault, CallHandler, type CallReport, type Leg } from "@trunkline/telephony"
import { Effect, Layer, Option } from "effect"
import { findTeam, planOf } from "./actions/Team.js"
import { answerCall } from "./answers/AnswerCall.js"
import { converse } from "./Interpreter.js"
import { concluded } from "./Resumption.js"
import { measureAnswers } from "./state/AnswerTimes.js"
import { type CallPlan, type CallState, currentVariables, firstLanguage, planCall } from "./state/CallState.js"
import {
  AgentTools,
  conversationDefaults,
  type ConversationOptions,
  Tenants,
  Translate
} from "./state/ConversationOptions.js"
import { ConversationTapes } from "./state/ConversationTape.js"
import { makeLackingVariables } from "./state/LackingVariables.js"
import { makeModelInputs, noModelInputs } from "./state/ModelInputs.js"
import { warnOfBrokenRules } from "./state/rules/BrokenRules.js"
import { makeStepLog, type PastConversation, readPast } from "./state/StepLog.js"
import { transcriptOf } from "./state/Transcription.js"

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
  (state.turns.findLast((turn) =>
    turn.role === "user" && languages.some((spokenText) => spokenText === turn.language_name)
  ) ??
    state.turns.findLast((turn) => turn.role === "agent") ??
    state.turns.findLast((turn) => turn.language_name !== null))?.language_name ?? null

/** Negative response times, after a clock was set back, count as zero. */
const averageSeconds = (waits: ReadonlyArray<number>): number | null =>
  waits.length === 0
    ? null
    : Math.round(waits.reduce((sum, wait) => sum + Math.max(0, wait), 0) / waits.length) / 1000

/** Makes the report of an ended call. Transcripts are translated outside business time. */
export const makeReport = Effect.fnUntraced(
  function*(call: CallPlan, state: CallState, translate: Translate.Service) {
    const plan = planOf(call, state)
    const transcript = yield* BusinessTime.hold(transcriptOf(call, state, translate))
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

/** Tools with others beside them; of two with one name, the agent has the first. */
const withOthers = (tools: ReadonlyArray<AgentTool>, others: ReadonlyArray<AgentTool>): ReadonlyArray<AgentTool> => {
  const names = new Set(tools.map(({ name }) => name))
  return [...tools, ...others.filter(({ name }) => !names.has(name))]
}

/** Gives a version the tools that it has beside its own. */
export const offeredBy = (tools: AgentTools.Service) => (version: AgentVersion, brief: CallBrief): AgentVersion => {
  const beside = tools.beside?.(brief, version) ?? []
  return beside.length === 0 ? version : { ...version, tools: withOthers(version.tools, beside) }
}

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
      const knowledge = yield* AgentKnowledge
      const tenants = yield* Tenants
      const translate = yield* Translate
      const { tapeOf } = yield* ConversationTapes
      const warnOfLacking = makeLackingVariables()

      const settings = { ...conversationDefaults, ...options }

      const planFor = Effect.fnUntraced(function*(brief: CallBrief, startedAt: number) {
        const version = yield* Effect.mapError(
          Effect.flatten(agents.version(brief.scope, brief.app_id, brief.app_version)),
          () => new CallFault({ reason: "There is no such version of the agent." })
        )
        const tenant = yield* tenants.of(brief.scope)
        const team = yield* findTeam({ agents, brief, version, withTools: offeredBy(tools) })
        return planCall({ version: team[0].version, brief, tenant, team, startedAt, options: settings })
      })

      const tapeWith = (plan: CallPlan, events: PastConversation["events"]) => {
        const tape = tapeOf(plan)
        for (const { at, event } of events) tape?.event(event, at)
        return tape
      }

      /** Tells what a conversation that has ended has shown. */
      const review = Effect.fnUntraced(function*(plan: CallPlan, state: CallState) {
        measureAnswers(state)
        yield* warnOfLacking(plan.version, plan.brief, state.missingVariables)
        if (settings.checkCalls) yield* warnOfBrokenRules(plan, state)
      })

      const hold = Effect.fnUntraced(function*(leg: Leg, brief: CallBrief) {
        const past = brief.log === undefined || brief.log.past.length === 0 ? null : readPast(brief.log.past)
        const startedAt = past?.startedAt ?? (yield* BusinessTime.now)
        const log = brief.log && makeStepLog(brief.log, past?.events.length ?? 0)
        if (past === null) log?.begin(startedAt)
        const plan = yield* Effect.tapError(planFor(brief, startedAt), () => leg.hangUp)
        const inputs = settings.modelInputs ? makeModelInputs() : noModelInputs
        const handlersOf = ({ brief, version }: CallPlan) => ({
          ...tools.of(brief, version),
          ...knowledgeHandlers(version, knowledge),
          ...recordingHandlers(version)
        })
        const tape = tapeWith(plan, past?.events ?? [])
        const state = yield* Effect.onInterrupt(
          converse({ plan, leg, model, handlersOf, inputs, log, past, tape }),
          () => tape?.end(null) ?? Effect.void
        )
        const model_inputs = inputs.all()
        const inputFields = model_inputs.length === 0 ? {} : { model_inputs }
        yield* review(plan, state)
        if (tape === null && state.fault !== null && !state.hasModelAnswered) {
          return yield* new CallFault({ reason: state.fault, ...inputFields })
        }
        const report = yield* makeReport(plan, state, translate)
        if (tape !== null) yield* tape.end(report)
        return state.fault !== null && !state.hasModelAnswered
          ? yield* new CallFault({ reason: state.fault, ...inputFields })
          : { ...report, ...inputFields }
      })

      const conclude = Effect.fnUntraced(function*(brief: CallBrief) {
        const past = readPast(brief.log?.past ?? [])
        if (past.startedAt === null) return Option.none()
        const plan = yield* planFor(brief, past.startedAt)
        const end = concluded(plan, past)
        if (end === null) return Option.none()
        yield* review(plan, end.state)
        const report = yield* makeReport(plan, end.state, translate)
        yield* tapeWith(plan, end.events)?.end(report) ?? Effect.void
        return Option.some({ report, ended_at: end.at })
      })

      /** Holds a call whose answer is to be found out; one that goes on in another process was answered long before. */
      const answer = Effect.fnUntraced(function*(leg: Leg, brief: CallBrief) {
        const version = yield* Effect.option(
          Effect.flatten(agents.version(brief.scope, brief.app_id, brief.app_version))
        )
        const { answer_handling, log } = brief
        if (answer_handling === undefined || Option.isNone(version) || (log?.past.length ?? 0) > 0) {
          return yield* hold(leg, brief)
        }
        const language_name = firstLanguage(version.value, brief)
        return yield* answerCall({
          leg,
          brief,
          handling: answer_handling,
          language_name,
          converse: (leg) => hold(leg, brief)
        })
      })

      return CallHandler.of({ conclude, handle: (leg, brief) => withAgentSpan(brief)(answer(leg, brief)) })
    })
  )

/**
 * A `CallHandler` that lets agents hold calls: those with a script step by step, all others with the language model.
 *
 * The agent greets, listens, responds and says goodbye. It asks into silences, follows the caller's language if it speaks
 * it, and ends the call in time. Every call has exactly one report, whose transcript holds only heard text. A model that
 * fails before its first response is a `CallFault`; later it is the `fault` of the report.
 *
 * Calls with `answer_handling` find out who has answered before the agent speaks.
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
