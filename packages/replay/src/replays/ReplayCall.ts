import { AgentCatalog } from "@trunkline/agents"
import { AgentTools, conversationDefaults } from "@trunkline/conversation"
import { findTeam, offeredBy, planCall } from "@trunkline/conversation/steps"
import { PhoneNumber, scopeKey } from "@trunkline/kernel"
import type { CallBrief, CallReport } from "@trunkline/telephony"
import { Duration, Effect, Struct } from "effect"
import type { CallTrace } from "../trace/CallTrace.js"
import { plainReport } from "../trace/PlainReport.js"
import { type CallSummary, summaryOf } from "./CallSummary.js"
import { differencesBetween, type ReplayDifference } from "./Differences.js"
import { type Divergence, followTrace } from "./FollowTrace.js"
import { goOn, type LiveReplay, type ToolNotRun } from "./GoOn.js"
import type { ReplayParts } from "./ReplayParts.js"

/** Result of the replay of one call. */
export interface CallReplay {
  readonly attempt_id: string
  readonly from: { readonly app_id: string; readonly app_version: number }
  readonly to: { readonly app_id: string; readonly app_version: number }
  /** `same` and `changed` were led to the end of the call; `open` stopped where the trace and no model had an answer. */
  readonly status: "same" | "changed" | "open"
  /** Place from which the trace holds no more; null where it held to the end. */
  readonly divergence: Divergence | null
  /** Answers of the model, by where they came from, and the tokens of those that are new. */
  readonly answers: { readonly trace: number; readonly model: number }
  readonly tokens: { readonly input: number; readonly output: number }
  /** Tokens that the call took after the place: what a model is likely to take. 0 where the model has not counted. */
  readonly tokens_expected: { readonly input: number; readonly output: number }
  /** Tools that would have been called, and were not: neither the trace nor a mock has their answer. */
  readonly tools_not_run: ReadonlyArray<ToolNotRun>
  /** True when the agent listened after the last words that the caller has said in the trace. */
  readonly caller_ran_out: boolean
  readonly before: CallSummary
  /** Null while the replay is open. */
  readonly after: CallSummary | null
  readonly differences: ReadonlyArray<ReplayDifference>
}

/** Number in place of the caller's, which a trace does not have. Nobody is called. */
const noNumber = PhoneNumber.make("+10000000000", true)

const briefOf = (trace: CallTrace, { app_id = trace.app_id, scope, version }: ReplayParts): CallBrief => ({
  ...Struct.pick(trace, "attempt_id", "direction", "agent_phone_number", "agent_variables", "app_overrides"),
  scope,
  app_id,
  app_version: version.app_version,
  user_phone_number: noNumber,
  maxDuration: Duration.seconds(trace.max_duration_seconds)
})

const noTokens = { input: 0, output: 0 }

const tokensAfter = ({ entries }: CallTrace, place: number): CallReplay["tokens"] =>
  entries.slice(place).reduce(
    (sum, { tokens = noTokens }) => ({ input: sum.input + tokens.input, output: sum.output + tokens.output }),
    noTokens
  )

const nothingLive: Omit<LiveReplay, "state" | "isOpen"> = {
  answers: { trace: 0, model: 0 },
  tokens: { input: 0, output: 0 },
  toolsNotRun: [],
  callerRanOut: false
}

/**
 * Leads an agent through the trace of a call. As long as the agent does what the one of the trace did, the trace answers: the
 * caller, the model and the tools. From the first difference on, the conversation is held anew in virtual time: the caller says
 * what they said, the trace answers requests and tools of the same meaning, and the model answers the others. No tool is run.
 */
export const replayCall = (trace: CallTrace, parts: ReplayParts): Effect.Effect<CallReplay, never, AgentCatalog> =>
  Effect.gen(function*() {
    const agents = yield* AgentCatalog
    const withTools = offeredBy(yield* AgentTools)
    const brief = briefOf(trace, parts)
    const team = yield* findTeam({ agents, brief, version: parts.version, withTools })
    const plan = planCall({
      version: team[0].version,
      brief,
      tenant: scopeKey(parts.scope),
      team,
      startedAt: trace.started_at,
      options: conversationDefaults
    })
    const followed = followTrace(plan, trace)
    const live: LiveReplay = followed.divergence === null
      ? { ...nothingLive, state: followed.step.state, isOpen: false }
      : trace.end.is_whole
      ? yield* goOn({ plan, trace, followed, parts })
      : { ...nothingLive, state: followed.step.state, isOpen: true }
    const { state } = live
    const report: CallReport = yield* plainReport(plan, state)
    const before = summaryOf(trace.end.report)
    const after = live.isOpen ? null : summaryOf(report)
    const differences = after === null ? [] : differencesBetween(before, after)
    return {
      attempt_id: trace.attempt_id,
      from: Struct.pick(trace, "app_id", "app_version"),
      to: { app_id: brief.app_id, app_version: brief.app_version },
      status: after === null ? "open" : differences.length === 0 ? "same" : "changed",
      divergence: followed.divergence,
      answers: { trace: followed.answers + live.answers.trace, model: live.answers.model },
      tokens: live.tokens,
      tokens_expected: followed.divergence === null ? noTokens : tokensAfter(trace, followed.events.length),
      tools_not_run: live.toolsNotRun,
      caller_ran_out: live.callerRanOut,
      before,
      after,
      differences
    } satisfies CallReplay
  })
