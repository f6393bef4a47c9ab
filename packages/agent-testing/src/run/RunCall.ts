import { type Agent, AgentCatalog } from "@trunkline/agents"
import { type AgentTools, Conversation, type ConversationOptions } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { AttemptId, BusinessTime, InteractionId, VirtualClock } from "@trunkline/kernel"
import type { LanguageModel } from "@trunkline/models"
import { type CallBrief, type CallFault, CallHandler, type CallReport, summarizeOutcome } from "@trunkline/telephony"
import { type Cause, DateTime, type Duration, Effect, Exit, Fiber, Layer, Random, type Scope } from "effect"
import type { Caller, CallerStuck } from "../line/Caller.js"
import type { CallLine } from "../line/CallLine.js"
import { makeCallLog, type TestCallLog } from "../line/CallLog.js"
import { makeTextLine } from "../line/TextLine.js"
import type { ModelExchange, TestedCall } from "../record/TestedCall.js"
import { playCaller } from "./PlayCaller.js"
import { makeStandingTime, type StandingTime } from "./StandingTime.js"
import { watchModel } from "./WatchedModel.js"
import { type ToolMocks, watchTools } from "./WatchedTools.js"

/** Makes the line of a call, for as long as the scope is open. */
export type MakeLine = (log: TestCallLog, brief: CallBrief) => Effect.Effect<CallLine, never, Scope.Scope>

/** A call of a test. */
export interface CallTest {
  /** Agents: the one that has the call, and those to which it may be handed over. */
  readonly agents: ReadonlyArray<Agent>
  /** Tools of the agents. */
  readonly tools: AgentTools.Service
  /** Tools in place of these; none by default. */
  readonly mocks?: ToolMocks
  readonly model: LanguageModel["Type"]
  /** Call: its agent, direction, numbers, variables and overrides. */
  readonly brief: Partial<CallBrief> & Pick<CallBrief, "app_id" | "app_version">
  readonly conversation?: Partial<ConversationOptions>
  /** Moment of the answer, in epoch milliseconds. */
  readonly at: number
  /** Seed of all that is left to chance: pauses of the caller, words that a bad line loses, answers of models that take one. */
  readonly seed: number
  /** Makes the line of the call; one of text by default. */
  readonly line?: MakeLine
  /** Silence of both sides after the script, after which the caller hangs up; infinite: the agent ends the call. */
  readonly lastSilence: Duration.Duration
}

/** Result of a call: what happened, and the failure of the script, if it failed. */
export interface CallRun<E> {
  readonly call: TestedCall
  readonly failure: Cause.Cause<E> | null
}

/** A report of a call whose conversation could not begin. */
const reportOfFault = (reason: string, brief: CallBrief): CallReport => ({
  agent_done: false,
  ended_by: "agent",
  language_name: null,
  transcript: [],
  final_agent_variables: brief.agent_variables,
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry: false,
  reschedule_at: null,
  fault: reason
})

/** The call as plain data. */
const callOf = (
  { endedAt, exchanges, isOpen, log, report, test }: {
    readonly test: CallTest
    readonly report: CallReport
    readonly log: TestCallLog
    readonly exchanges: ReadonlyArray<ModelExchange>
    readonly endedAt: number
    readonly isOpen: boolean
  }
): TestedCall => {
  const { completion_status } = summarizeOutcome({
    _tag: "Connected",
    interaction_id: InteractionId.make(testCallBrief.attempt_id),
    started_at: test.at,
    ended_at: endedAt,
    report
  }, null)
  return {
    turns: log.turns(),
    outcome: completion_status,
    fault: report.fault,
    endedBy: report.ended_by,
    variables: report.final_agent_variables,
    outputs: report.output_agent_variables,
    language: report.language_name,
    seconds: log.second(endedAt),
    startedAt: DateTime.formatIso(DateTime.unsafeMake(test.at)),
    record: report.transcript.map(({ en_text, indic_text, role }) => ({ role, text: indic_text ?? en_text })),
    model: exchanges,
    violations: [],
    seed: test.seed,
    refusals: log.refusals(),
    leftOpen: isOpen
  }
}

/** Runs the call in the time of the fiber, which is virtual. */
const runIn = <E>(
  test: CallTest,
  standing: StandingTime,
  script: (caller: Caller, standing: StandingTime) => Effect.Effect<void, E>
): Effect.Effect<CallRun<E>> =>
  Effect.gen(function*() {
    const log = makeCallLog(test.at)
    const model = watchModel(test.model, { second: log.second, seed: test.seed })
    const brief: CallBrief = { ...testCallBrief, attempt_id: attemptIdOf(test.seed), ...test.brief }
    const tools = watchTools({ tools: test.tools, mocks: test.mocks ?? {}, logOf: () => log, pass: standing.pass })
    const line = test.line === undefined ? makeTextLine(log) : yield* test.line(log, brief)
    const callerFiber = yield* playCaller({ line, log, lastSilence: test.lastSilence }, (caller) =>
      script(caller, standing))
    const callExit = yield* Effect.flatMap(CallHandler, ({ handle }) =>
      handle(line.leg, brief)).pipe(
        Effect.provide(
          Layer.provide(Conversation.layerWith({ modelInputs: false, checkCalls: false, ...test.conversation }), [
            AgentCatalog.layerOf(test.agents),
            model.layer,
            tools
          ])
        ),
        Effect.exit
      )
    const endedAt = yield* BusinessTime.now
    const isOpen = line.state.endedBy === null
    yield* line.end("provider")
    const failure = yield* Fiber.join(callerFiber)
    const report = Exit.isSuccess(callExit) ? callExit.value : yield* faultOf(callExit, brief)
    return { call: callOf({ test, report, log, exchanges: model.exchanges(), endedAt, isOpen }), failure }
  }).pipe(Effect.scoped, Effect.withRandom(Random.make(test.seed)), Effect.provideService(BusinessTime, standing.time))

const faultOf = (exit: Exit.Failure<CallReport, CallFault>, brief: CallBrief): Effect.Effect<CallReport> =>
  Effect.catchAll(
    Effect.failCause(exit.cause),
    (fault) => Effect.succeed(reportOfFault(fault.reason, brief))
  )

/** Ids of attempts follow from seeds, so that a run is the same again. */
const attemptIdOf = (seed: number): AttemptId =>
  AttemptId.make(`00000000-0000-7000-8000-${(Math.abs(Math.trunc(seed)) % 2 ** 40).toString(16).padStart(12, "0")}`)

/**
 * Lets an agent hold a call of text with a caller, in virtual time. Real work of the model and of tools takes no virtual time, and
 * the script must not take any but by actions of the caller. A script that fails ends the call.
 */
export const runCall = <E = CallerStuck>(
  test: CallTest,
  script: (caller: Caller, standing: StandingTime) => Effect.Effect<void, E>
): Effect.Effect<CallRun<E>> =>
  VirtualClock.run(
    Effect.flatMap(makeStandingTime, (standing) => runIn(test, standing, script)),
    { start: test.at }
  )
