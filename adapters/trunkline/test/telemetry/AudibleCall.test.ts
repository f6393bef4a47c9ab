import { assert, describe } from "@effect/vitest"
import { CallQuery } from "@trunkline/analytics"
import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { AppId, BusinessTime, findOne, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { modelLayer, synthesizerLayer, transcriberLayer } from "@trunkline/opentelemetry"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { modemTranscriber, modemVoice, soundOf } from "@trunkline/speech"
import {
  AttemptStore,
  type Carrier,
  Carriers,
  Connection,
  CreateDeployment,
  DialFailed,
  type InboundOffer,
  makeSimulatedAudioLine
} from "@trunkline/telephony"
import { Effect, Layer, Option, Queue, Schema, Stream } from "effect"
import { collectSpans, pathOf } from "../../../../test/setup/CollectedSpans.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })

const collections = AppId.make("collections")

const deploymentBody = Schema.decodeUnknownSync(CreateDeployment)({
  name: "Desk",
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
})

const line = Schema.decodeUnknownSync(Connection)({
  connection_id: "sim-1",
  provider: "audible",
  phone_numbers: ["+911140000001"]
})

/** A carrier of calls with sound that only receives. */
const receiver = (offers: Queue.Dequeue<InboundOffer>): Carrier => ({
  provider: "audible",
  protocol: "simulated",
  dedupe: () => ({ _tag: "None" }),
  place: () => Effect.fail(new DialFailed({ certainty: "provider", reason: "audible: only receives" })),
  lookup: () => Effect.succeed({ _tag: "NotFound" }),
  offers: Stream.fromQueue(offers)
})

const model = ScriptedModel.layer([
  { when: userSays("table"), reply: "For how many people shall I book the table?" },
  { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } }
])

const names = { voiceConventions: false }

const options: MemoryOptions & EngineOptions = {
  agents: [{
    app_id: "collections",
    versions: [{ app_version: 1, committed: true, first_message: "Hello, this is the restaurant." }]
  }],
  connections: [Schema.encodeSync(Connection)(line)],
  model: modelLayer(model, "trunkline"),
  synthesizer: synthesizerLayer(modemVoice(), names),
  transcriber: transcriberLayer(modemTranscriber, names)
}

const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

const phone = Schema.decodeUnknownSync(PhoneNumber)

/** A call of two questions to the restaurant, and the record of it. */
const call = Effect.gen(function*() {
  const offers = yield* Queue.unbounded<InboundOffer>()
  const engine = Engine.layer(options).pipe(
    Layer.provideMerge(Layer.merge(memoryParts(options), Carriers.layerOf([receiver(offers)])))
  )
  return yield* Effect.gen(function*() {
    const { analytics, deployments } = yield* Engine
    yield* deployments.create(scope, deploymentBody, "demo")
    const { caller, line: audio } = yield* makeSimulatedAudioLine()
    const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))
    const say = (words: string) =>
      Effect.flatMap(
        Effect.provide(soundOf(words), modemVoice()),
        (sound) => Effect.zipRight(Effect.sync(() => caller.say(sound)), wait(sound.length / 8))
      )
    yield* Queue.offer(offers, {
      provider_call_id: "call-1",
      connection: line,
      from: phone("+919876543210"),
      to: phone("+911140000001"),
      accept: Effect.succeed(audio),
      reject: () => Effect.void
    })
    yield* wait(4_000)
    yield* say("I would like to book a table.")
    yield* wait(5_000)
    yield* say("No, bye.")
    assert.strictEqual(yield* caller.ended, "agent")
    yield* wait(1_000)
    const { items: [item] } = yield* analytics.attempts(scope, collections, wholeDay)
    const attempt = yield* findOne(
      (yield* AttemptStore).findMany,
      (item ?? assert.fail("there was no call")).attempt_id
    )
    return Option.getOrThrow(Option.getOrThrow(attempt).result?.interaction ? attempt : Option.none())
  }).pipe(Effect.provide(engine))
})

describe("the trace of a call with sound", () => {
  virtualTest(
    "holds it turn by turn, with its model calls, voices and transcripts, and the latencies of its record",
    () =>
      Effect.gen(function*() {
        const collected = yield* collectSpans()
        const { attempt_id, result } = yield* Effect.provide(call, collected.layer)
        const interaction = result?.interaction ?? assert.fail("the call has no record")
        const spans = collected.spans.filter((span) => pathOf(span)[0] === "call inbound")
        const named = (name: string) => spans.filter((span) => span.name === name)
        const paths = new Set(spans.map((span) => pathOf(span).join(" > ")))
        const agent = "call inbound > invoke_agent collections"
        assert.deepStrictEqual([...paths].sort(), [
          "call inbound",
          agent,
          `${agent} > turn`,
          `${agent} > turn > chat core-105b-conversations`,
          `${agent} > turn > voice`,
          "call inbound > transcript"
        ])
        assert.isTrue(spans.every(({ status }) => status._tag === "Ended"))
        const [root] = named("call inbound")
        assert.strictEqual(root?.attributes.get("trunkline.attempt_id"), attempt_id)
        assert.strictEqual(root?.attributes.get("trunkline.call.outcome"), "connected")
        const ids = new Set(named("turn").map(({ attributes }) => attributes.get("gen_ai.conversation.id")))
        assert.deepStrictEqual([...ids], [interaction.interaction_id])

        const recorded = interaction.transcript.flatMap(({ timings }) =>
          timings && timings.ended_at !== null
            ? [
              [timings.words_at, timings.first_token_at, timings.first_clause_at, timings.first_sound_at].map((at) =>
                at !== null && timings.ended_at !== null ? at - timings.ended_at : undefined
              )
            ]
            : []
        )
        const traced = named("turn").slice(1).map(({ attributes }) =>
          ["words", "first_token", "first_clause", "first_sound"].map((step) =>
            attributes.get(`trunkline.turn.${step}_ms`)
          )
        )
        assert.lengthOf(traced, 2)
        assert.deepStrictEqual<unknown>(traced, recorded)

        const [chat] = named("chat core-105b-conversations")
        assert.strictEqual(chat?.kind, "client")
        assert.isNumber(chat?.attributes.get("gen_ai.usage.input_tokens"))
        assert.isNumber(chat?.attributes.get("gen_ai.usage.output_tokens"))
        assert.deepStrictEqual(chat?.attributes.get("gen_ai.response.finish_reasons"), ["stop"])
        const shown = JSON.stringify(spans.map(({ attributes }) => [...attributes]))
        assert.notMatch(shown, /98765|book|restaurant|tonight|people/)
      }),
    { start: Date.parse("2024-05-20T04:30:00Z") }
  )
})
