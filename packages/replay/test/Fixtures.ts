import { Agent, AgentCatalog, AgentVersion, type ToolHandlers } from "@trunkline/agents"
import { AgentTools, Conversation, ConversationTapes } from "@trunkline/conversation"
import { type CalleeLine, scriptedLeg, type ScriptedLegOptions, testCallBrief } from "@trunkline/conversation/testing"
import { VirtualClock } from "@trunkline/kernel"
import { type Completion, emptyCompletion, LanguageModel, type Model, type ModelRequest } from "@trunkline/models"
import {
  type CallTrace,
  decodeTrace,
  redactDefaults,
  type RedactRule,
  replayCall,
  type ReplayParts,
  traceTapes
} from "@trunkline/replay"
import { ScriptedModel } from "@trunkline/scripted-model"
import { type CallBrief, CallHandler, type CallReport } from "@trunkline/telephony"
import { Effect, Either, Layer, Schema, Stream } from "effect"

const decode = Schema.decodeUnknownSync(AgentVersion)

/** A version of an agent, with changes. */
export const agentVersion = (changes: object = {}) => decode({ app_version: 1, committed: true, ...changes })

/** Monday, 2026-11-30, 10:00 UTC. */
export const start = Date.UTC(2026, 10, 30, 10)

/** A catalog of one version. */
export const catalogOf = (version: AgentVersion) =>
  AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [version] })])

/** A model that answers each request at once by a function, and counts tokens. */
export const modelOf = (answer: (request: ModelRequest) => Partial<Completion>): Model => ({
  generate: (request) =>
    Effect.sync(() => ({
      ...emptyCompletion,
      finish: "stop",
      usage: { inputTokens: 100, cachedTokens: 0, outputTokens: 10, reasoningTokens: 0 },
      ...answer(request)
    })),
  stream: () => Stream.die("Not asked for")
})

/** The request of a tool. */
export const use = (name: string, input: object = {}) => ({
  toolRequests: [{ id: "1", name, arguments: JSON.stringify(input) }]
})

/** A call whose trace is kept. */
export interface TracedCall extends ScriptedLegOptions {
  readonly version: AgentVersion
  readonly lines: ReadonlyArray<string | CalleeLine>
  readonly brief?: Partial<CallBrief>
  readonly redact?: ReadonlyArray<RedactRule>
  readonly model?: Model
  readonly handlers?: ToolHandlers
}

/** Holds a call and returns its report, and the text of its trace. */
export const holdTraced = (
  { brief, handlers = {}, lines, model, redact = redactDefaults, version, ...line }: TracedCall
): Effect.Effect<{ readonly report: CallReport; readonly text: string }> => {
  let text = ""
  const tapes = Layer.succeed(
    ConversationTapes,
    traceTapes({ redact, keep: (_, trace) => Effect.sync(() => void (text = trace)) })
  )
  const handler = Conversation.layer.pipe(
    Layer.provide([
      tapes,
      catalogOf(version),
      AgentTools.layerOf(handlers),
      model === undefined ? ScriptedModel.layer() : Layer.succeed(LanguageModel, model)
    ])
  )
  return VirtualClock.run(
    Effect.gen(function*() {
      const { leg } = yield* scriptedLeg(lines, line)
      const { handle } = yield* CallHandler
      const report = yield* Effect.orDie(handle(leg, { ...testCallBrief, app_version: version.app_version, ...brief }))
      return { report, text }
    }).pipe(Effect.provide(handler)),
    { start }
  )
}

/** Reads a trace that can be read. */
export const readTrace = (text: string): CallTrace => Either.getOrThrow(decodeTrace(text))

/** Replays a trace through a version; without a model unless one is given. */
export const replayed = (trace: CallTrace, version: AgentVersion, parts: Partial<ReplayParts> = {}) =>
  Effect.provide(
    replayCall(trace, { scope: testCallBrief.scope, version, model: null, ...parts }),
    catalogOf(version)
  )
