import { assert, describe, it } from "@effect/vitest"
import { Agent, AgentCatalog, AgentVersion } from "@trunkline/agents"
import { AgentTools, Conversation } from "@trunkline/conversation"
import { testCallBrief } from "@trunkline/conversation/testing"
import { CurrentUsage, makeUsageMeter } from "@trunkline/kernel"
import { always, ScriptedModel } from "@trunkline/scripted-model"
import { Listener, modemTranscriber, modemVoice } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import { type SpeechServer, speechServer } from "@trunkline/transcriber-websocket/testing"
import { RealtimeVoicing, TurnTaking } from "@trunkline/turn-taking"
import { assertTurns, type CallerLine, runAudibleCall } from "@trunkline/turn-taking/testing"
import { Effect, Layer, Schema } from "effect"
import { untilOnTime } from "../../../test/setup/OnTime.js"
import { ModelRealtime } from "../src/index.js"
import { realtimeDouble, type RealtimeDoubleOptions } from "../src/testing.js"

const version = Schema.decodeUnknownSync(AgentVersion)({
  app_version: 1,
  committed: true,
  first_message: "Hello.",
  tools: [{ name: "find_table", description: "Finds a table.", parameters: { type: "object", properties: {} } }]
})

const answer: RealtimeDoubleOptions["answer"] = (last) =>
  last.startsWith("result")
    ? { text: "Table seven is free." }
    : last.includes("table")
    ? { tool: { name: "find_table", arguments: {} } }
    : last.includes("rules")
    ? { text: "We keep a table for a quarter of an hour, and no dogs are allowed." }
    : { text: "You are welcome." }

/** A call of a caller with the double, on a line in real time. */
const holdCall = (lines: ReadonlyArray<CallerLine>, during: (server: SpeechServer) => Effect.Effect<void>) =>
  Effect.gen(function*() {
    const double = realtimeDouble({ answer })
    const server = yield* speechServer(double.protocol)
    const chain = Layer.merge(
      ScriptedModel.layer([{ when: always, reply: "The chain speaks." }]),
      Layer.provide(TurnTaking.layer, [
        modemVoice(),
        Layer.provide(Listener.layerOfTranscriber, modemTranscriber),
        TextNormalizer.layer
      ])
    )
    const realtime = ModelRealtime.layer({
      url: server.url,
      allowInsecureUrls: true,
      allowPrivateUrls: true,
      provider: "openai"
    })
    const layer = Conversation.layer.pipe(
      Layer.provideMerge(RealtimeVoicing.layer.pipe(Layer.provide(chain), Layer.provide(realtime))),
      Layer.provide([
        AgentCatalog.layerOf([new Agent({ app_id: testCallBrief.app_id, versions: [version] })]),
        AgentTools.layerOf({ find_table: () => Effect.succeed({ content: { table: 7 } }) })
      ]),
      Layer.merge(Layer.merge(modemVoice(), modemTranscriber))
    )
    yield* Effect.forkScoped(during(server))
    const meter = makeUsageMeter()
    const call = yield* Effect.provide(runAudibleCall({ brief: testCallBrief, lines }), layer).pipe(
      Effect.locally(CurrentUsage, meter)
    )
    return { call, server, ...double, usage: meter.all() }
  })

describe("a call with a realtime model over a socket", () => {
  it.live("uses a tool, is interrupted, and goes on in another session when one ends in mid-call", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const { call, conversations, events, problems, server, usage } = yield* holdCall(
          [
            { say: "A table, please.", afterAgent: "500 millis" },
            { say: "The rules?", afterAgent: "2 seconds" },
            { say: "Enough!", intoAgent: "2 seconds" },
            { hangUp: true, afterAgent: "1 second" }
          ],
          (server) => Effect.delay(Effect.sync(() => server.peers[0]?.close(1001, "The longest time")), "6 seconds")
        )
        assertTurns(call, [
          "agent: Hello.",
          "user: A table, please.",
          "agent: Table seven is free.",
          "user: The rules?",
          "agent: We keep a table…",
          "user: Enough!",
          "agent: You are welcome."
        ])
        assert.deepStrictEqual(problems, [])
        assert.strictEqual(server.handshakes(), 2)
        assert.deepStrictEqual(conversations[1]?.slice(0, 6), [
          "Hello.",
          "A table, please.",
          "call find_table",
          "result {\"table\":7}",
          "Table seven is free.",
          "The rules?"
        ])
        assert.lengthOf(events[1]?.filter(({ type }) => type === "conversation.item.truncate") ?? [], 1)
        const tool = call.report.transcript.find(({ role }) => role === "tool")
        assert.deepInclude(tool, { tool_name: "find_table", tool_outcome: "done" })
        assert.isNull(call.report.fault)
        const counted = usage.find(({ unit }) => unit === "audio_output_token")
        assert.deepInclude(counted, { service: "model", provider: "openai", model: "gpt-realtime-2.1" })
      })
    ))

  it.live("is the chain's when the server lets no other session begin", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const { call } = yield* holdCall(
          [
            { say: "Good morning.", afterAgent: "500 millis" },
            { say: "The rules?", afterAgent: "2 seconds" },
            { hangUp: true, afterAgent: "1 second" }
          ],
          (server) =>
            Effect.delay(
              Effect.sync(() => {
                server.refuse({ status: 503 })
                server.peers[0]?.cut()
              }),
              "6 seconds"
            )
        )
        assertTurns(call, [
          "agent: Hello.",
          "user: Good morning.",
          "agent: You are welcome.",
          "user: The rules?",
          "agent: The chain speaks."
        ])
        assert.isNull(call.report.fault)
      })
    ))
})
