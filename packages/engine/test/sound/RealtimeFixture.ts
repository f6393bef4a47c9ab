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
  type RealtimeOfParts,
  realtimeOfParts,
  type RealtimeOfPartsOptions,
  runAudibleCall
} from "@trunkline/turn-taking/testing"
import { Duration, Effect, Layer, Schema } from "effect"

const rules: ReadonlyArray<ScriptedRule> = [
  { when: userSays("table"), reply: "For how many people shall I book the table?" },
  { when: userSays("four"), reply: "Four people, very well. At which time would you like to come?" },
  {
    when: userSays("seven"),
    reply: "Seven it is. Let me read you our rules for guests. First, we keep a table for a quarter of an hour."
  },
  { when: toolAnswered("find_table"), reply: "Table seven is free." },
  { when: userSays("free"), toolCall: { name: "find_table", arguments: { people: 2 } } },
  { when: userSays("bill"), toolCall: { name: "hand_over", arguments: { to: "billing", reason: "A bill" } } },
  { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } },
  { when: always, reply: "Of course. Is there anything else?" }
]

const version = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  first_message: "Hello, this is the restaurant.",
  goodbye_message: "Then goodbye.",
  silence_prompt: "Are you still there?",
  hand_overs: [{
    app_id: "billing",
    when: "They ask about a bill",
    history: "last_turns",
    last_turns: 1,
    first_words: "This is billing."
  }],
  tools: [{
    name: "find_table",
    description: "Finds a table.",
    parameters: { type: "object", properties: { people: { type: "integer" } } }
  }]
})

const billing = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  name: "Billing"
})

/** Holds a call with a realtime model, whose chain says that it is one. */
export const holdCall = (
  lines: ReadonlyArray<CallerLine>,
  { during = () => Effect.void, refused = null, ...options }: RealtimeOfPartsOptions & {
    readonly during?: (parts: RealtimeOfParts) => Effect.Effect<void>
    readonly refused?: ModelFailure | null
  } = {}
) =>
  Effect.gen(function*() {
    const parts = yield* Effect.provide(
      realtimeOfParts(options),
      Layer.mergeAll(ScriptedModel.layer(rules), modemVoice(), modemTranscriber)
    )
    parts.refuse(refused)
    const chain = Layer.merge(
      ScriptedModel.layer([{ when: always, reply: "The chain speaks." }]),
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
    return { call, ...parts }
  }).pipe(Effect.scoped)

/** The agent's first turn. */
export const greeting = "agent: Hello, this is the restaurant."
