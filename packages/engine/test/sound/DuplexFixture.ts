import { Agent, AgentCatalog, AgentVersion } from "@trunkline/agents"
import { AgentTools, Conversation } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { AppId } from "@trunkline/kernel"
import type { ModelFailure } from "@trunkline/models"
import { always, ScriptedModel, type ScriptedRule, toolAnswered, userSays } from "@trunkline/scripted-model"
import { Listener, modemTranscriber, modemVoice } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import { RealtimeModel, RealtimeVoicing, TurnTaking } from "@trunkline/turn-taking"
import {
  type CallerLine,
  type DuplexOfParts,
  duplexOfParts,
  type DuplexOfPartsOptions,
  type DuplexReaction,
  runAudibleCall
} from "@trunkline/turn-taking/testing"
import { Duration, Effect, Layer, Schema } from "effect"

/** The agent behind the voice. */
const rules: ReadonlyArray<ScriptedRule> = [
  { when: toolAnswered("find_table"), reply: "Table seven is free." },
  { when: userSays("free"), toolCall: { name: "find_table", arguments: { people: 2 } } },
  { when: userSays("bill"), toolCall: { name: "hand_over", arguments: { to: "billing", reason: "A bill" } } },
  { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } },
  { when: userSays("rules"), reply: "First, we keep a table for a quarter of an hour. And no dogs are allowed." },
  { when: always, reply: "The agent answers." }
]

/** The voice before it. */
const react = (words: string): DuplexReaction =>
  words.includes("Hi")
    ? { say: "Hi there, how can I help?" }
    : words.includes("free")
    ? { say: "One moment.", delegates: true }
    : words.includes("quiet")
    ? {}
    : words.includes("stop")
    ? { say: "As you like." }
    : { delegates: true }

const version = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  prompt: "You are the restaurant's agent.",
  first_message: "Hello, this is the restaurant.",
  goodbye_message: "Then goodbye.",
  silence_prompt: "Are you still there?",
  hand_overs: [{ app_id: "billing", when: "They ask about a bill", first_words: "This is billing." }],
  tools: [{
    name: "find_table",
    description: "Finds a table.",
    parameters: { type: "object", properties: { people: { type: "integer" } } }
  }]
})

const billing = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  name: "Billing",
  prompt: "You write bills."
})

/** Holds a call with a duplex model and its agent. */
export const holdDuplexCall = (
  lines: ReadonlyArray<CallerLine>,
  { during = () => Effect.void, refused = null, ...options }: Partial<DuplexOfPartsOptions> & {
    readonly during?: (parts: DuplexOfParts) => Effect.Effect<void>
    readonly refused?: ModelFailure | null
  } = {}
) =>
  Effect.gen(function*() {
    const parts = yield* Effect.provide(
      duplexOfParts({ react, ...options }),
      Layer.merge(modemVoice(), modemTranscriber)
    )
    parts.refuse(refused)
    const chain = Layer.merge(
      ScriptedModel.layer(rules),
      Layer.provide(TurnTaking.layer, [
        modemVoice(),
        Layer.provide(Listener.layerOfTranscriber, modemTranscriber),
        TextNormalizer.layer
      ])
    )
    const realtime = RealtimeVoicing.layer.pipe(Layer.provide(chain), Layer.provide(RealtimeModel.layerOf(parts.model)))
    const layer = Conversation.layerWith({ silence: Duration.seconds(6), reprompts: 1 }).pipe(
      Layer.provideMerge(realtime),
      Layer.provide([
        AgentCatalog.layerOf([
          new Agent({ app_id: testCallBrief.app_id, versions: [version] }),
          new Agent({ app_id: AppId.make("billing"), versions: [billing] })
        ]),
        AgentTools.layerOf({ find_table: () => Effect.succeed({ content: { table: 7 } }) })
      ]),
      Layer.merge(Layer.merge(modemVoice(), modemTranscriber))
    )
    yield* Effect.forkScoped(during(parts))
    const call = yield* Effect.provide(runAudibleCall({ brief: testCallBrief, lines }), layer)
    const transcript = call.report.transcript.map(({ en_text, role }) => `${role}: ${en_text}`)
    return { call, transcript, ...parts }
  }).pipe(Effect.scoped)
