import {
  type Agent,
  AgentCatalog,
  type AgentVersion,
  decodeAgent,
  definitionIssues,
  versionList
} from "@trunkline/agents"
import { Engine } from "@trunkline/engine"
import { Invalid, NotFound } from "@trunkline/errors"
import { AppId, AttemptId, CampaignId, type Scope as Workspace, unchecked } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import type { CallTrace, ReplayParts, ToolMock, TraceUnreadable } from "@trunkline/replay"
import { Context, Effect, Either, Layer, Option, type Scope } from "effect"
import type { Fields } from "../../errors/Fields.js"
import { knownFields } from "../../errors/KnownFields.js"
import { type AgentOptions, SettingOutput } from "../../options/AgentOptions.js"
import { agentParts } from "../../options/agents/AgentParts.js"
import { modelLayer } from "../../options/ModelLayer.js"
import { callerOf } from "../Callers.js"
import { checkCallOptions, optionFields, signalOf } from "../CallOptions.js"
import type { EngineServices, Runner } from "../Runner.js"
import { anyTime, findCalls } from "./FindCalls.js"
import type { ReplayedCalls, ReplayOptions, Replays, ToolMocks } from "./ReplayTypes.js"

const replayFields: Fields<ReplayOptions> = { ...optionFields, agent: true, version: true, model: true, tools: true }

const manyFields: Fields<NonNullable<Parameters<Replays["calls"]>[1]>> = {
  ...replayFields,
  concurrency: true,
  onResult: true
}

const callsFields: Fields<ReplayedCalls> = { campaign: true, agent: true, from: true, to: true, attempts: true }

/** The latest version of an agent, or the one of a number. */
export const versionIn = ({ versions }: Agent, number: number | undefined): AgentVersion | undefined =>
  number === undefined
    ? versions.reduce((latest, one) => one.app_version > latest.app_version ? one : latest)
    : versions.find(({ app_version }) => app_version === number)

/** An agent from its definition. */
const agentOf = (options: AgentOptions): Effect.Effect<Agent, Invalid> =>
  Either.mapLeft(
    decodeAgent(agentParts([options]).agents[0]),
    (error) => Invalid.at(["agent"], "value_error", definitionIssues(error).join("; "))
  )

/** The model that a replay asks; null for none. */
const modelOf = (
  { model = false }: ReplayOptions
): Effect.Effect<ReplayParts["model"], Error, EngineServices | Scope.Scope> =>
  model === false
    ? Effect.succeed(null)
    : model === true
    ? LanguageModel
    : Effect.map(Layer.build(modelLayer(model)), (builtContext) => Context.get(builtContext, LanguageModel))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Mocks in the form of replays. One that throws fails, as its tool would. */
const mockOf = (mocks: ToolMocks): ToolMock => ({ arguments: args, name }) => {
  const mock = Object.hasOwn(mocks, name) ? mocks[name] : undefined
  if (mock === undefined) return null
  try {
    const input: unknown = JSON.parse(args)
    const output = mock(isRecord(input) ? input : {})
    const { content, set } = output instanceof SettingOutput ? output : { content: output, set: {} }
    return { content: typeof content === "string" ? content : JSON.stringify(content) ?? "null", set, outcome: "done" }
  } catch (error) {
    return { content: error instanceof Error ? error.message : String(error), set: {}, outcome: "failed" }
  }
}

/** Finds the agent for each trace; a reason where there is none. */
export const partsFor = (
  { agent, model, scope, toolMock, version: number }: {
    readonly scope: Workspace
    /** Id of an agent, or an agent; absent: that of the trace. */
    readonly agent: string | Agent | undefined
    readonly version: number | undefined
    readonly model: ReplayParts["model"]
    readonly toolMock?: ToolMock
  }
) =>
({ app_id }: CallTrace): Effect.Effect<ReplayParts | string, never, AgentCatalog> =>
  Effect.gen(function*() {
    const id = agent === undefined ? app_id : typeof agent === "string" ? AppId.make(agent, unchecked) : agent.app_id
    const agents = yield* AgentCatalog
    const match = typeof agent === "object"
      ? agent
      : Option.getOrUndefined(yield* Effect.option(Effect.flatten(agents.find(scope, id))))
    if (match === undefined) return `there is no agent ${id}`
    const version = versionIn(match, number)
    if (version === undefined) return `the agent ${id} has no version ${number}: it has ${versionList(match)}`
    return { scope, version, app_id: id, model, ...(toolMock && { toolMock }) }
  })

const unreadable = ({ message }: TraceUnreadable): Invalid => Invalid.at(["trace"], "value_error", message)

/** The text of a trace. */
const textOf = (scope: Workspace, attempt_id: string) =>
  Effect.gen(function*() {
    const { traces } = yield* Engine
    const lookup = yield* Effect.mapError(traces.find(scope, AttemptId.make(attempt_id, unchecked)), unreadable)
    return yield* Effect.mapError(lookup, () => new NotFound({ resource: "trace of the call", id: attempt_id }))
  })

/** Makes the methods of replays. */
export const makeReplays = ({ run }: Runner, defaultWorkspace: string): Replays => {
  const runScoped = <A, E>(work: Effect.Effect<A, E, EngineServices | Scope.Scope>, signal: AbortSignal | undefined) =>
    run(Effect.scoped(work), signal)
  const setting = (options: ReplayOptions) =>
    Effect.gen(function*() {
      const { workspace: scope } = yield* callerOf(options.workspace ?? defaultWorkspace)
      const agent = typeof options.agent === "object" ? yield* agentOf(options.agent) : options.agent
      const model = yield* modelOf(options)
      const toolMock = options.tools === undefined ? {} : { toolMock: mockOf(options.tools) }
      const catalog = yield* AgentCatalog
      return {
        scope,
        partsOf: (trace: CallTrace) =>
          Effect.provideService(
            partsFor({ scope, agent, version: options.version, model, ...toolMock })(trace),
            AgentCatalog,
            catalog
          )
      }
    })

  return {
    trace: (attempt_id, options = {}) =>
      run(
        Effect.gen(function*() {
          yield* checkCallOptions(options, { fields: optionFields })
          const { workspace } = yield* callerOf(options.workspace ?? defaultWorkspace)
          return yield* textOf(workspace, attempt_id)
        }),
        signalOf(options)
      ),
    call: (attempt_id, options = {}) =>
      runScoped(
        Effect.gen(function*() {
          yield* checkCallOptions(options, { fields: replayFields })
          const { decodeTrace, replayCall } = yield* Effect.promise(() => import("@trunkline/replay"))
          const { partsOf, scope } = yield* setting(options)
          const trace = yield* Effect.mapError(decodeTrace(yield* textOf(scope, attempt_id)), unreadable)
          const parts = yield* partsOf(trace)
          return typeof parts === "string"
            ? yield* Invalid.at(["agent"], "value_error", parts)
            : yield* replayCall(trace, parts)
        }),
        signalOf(options)
      ),
    calls: (selection, options = {}) =>
      runScoped(
        Effect.gen(function*() {
          yield* checkCallOptions(options, { fields: manyFields })
          yield* knownFields(selection, callsFields, ["calls"])
          const { replayCalls } = yield* Effect.promise(() => import("@trunkline/replay"))
          const { partsOf, scope } = yield* setting(options)
          const { agents, traces } = yield* Engine
          const { agent, attempts, campaign, from, to } = selection
          const ids = attempts !== undefined
            ? attempts.map((id) => AttemptId.make(id, unchecked))
            : yield* findCalls({
              scope,
              agents: agent === undefined
                ? (yield* agents.list(scope)).map(({ app_id }) => app_id)
                : [AppId.make(agent, unchecked)],
              campaign: campaign === undefined ? null : CampaignId.make(campaign, unchecked),
              from: from?.getTime() ?? anyTime.from,
              to: to?.getTime() ?? anyTime.to
            })
          const { concurrency, onResult } = options
          return yield* replayCalls({
            ids,
            partsOf,
            traceOf: (id) => traces.find(scope, id),
            ...(concurrency !== undefined && { concurrency }),
            ...(onResult !== undefined && { onResult: (result) => Effect.sync(() => onResult(result)) })
          })
        }),
        signalOf(options)
      )
  }
}
