import { assert, describe } from "@effect/vitest"
import { CallQuery } from "@trunkline/analytics"
import { Engine, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { AppId, BusinessTime, findOne, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { phraseBook, soundOf, Synthesizer, Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import {
  AttemptStore,
  Carriers,
  Connection,
  CreateDeployment,
  DialFailed,
  type InboundOffer,
  makeSimulatedAudioLine
} from "@trunkline/telephony"
import { Effect, Layer, Option, Queue, Schema, Stream } from "effect"
import { spawnSync } from "node:child_process"

const isThere = spawnSync("espeak-ng", ["--version"]).status === 0
if (!isThere) console.warn("Skipped: the program espeak-ng is not installed")

const phrases = ["I want to book a table.", "Goodbye and thanks.", "What is my balance?", "Please call me tomorrow."]

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const numbers = ["+911140000001"]
const connection = { connection_id: "sim-1", provider: "audible", phone_numbers: numbers }
const line = Schema.decodeUnknownSync(Connection)(connection)
const phone = Schema.decodeUnknownSync(PhoneNumber)

const agents: MemoryOptions["agents"] = [{
  app_id: "desk",
  versions: [{ app_version: 1, committed: true, first_message: "Hello." }]
}]

const deployment = Schema.decodeUnknownSync(CreateDeployment)({
  name: "Desk",
  app_id: "desk",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: numbers }]
})

const today = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

const model = ScriptedModel.layer([
  { when: userSays("table"), reply: "Your table is booked." },
  { when: userSays("thanks"), reply: "See you.", toolCall: { name: "end_call", arguments: {} } }
])

/** The voice of espeak-ng and a book of phrases in it, while whose real work the simulated time stands still. */
const speech = Effect.gen(function*() {
  const voice = yield* Layer.build(SpeechEspeak.layer())
  const { ability, speak } = yield* Effect.provide(Synthesizer, voice)
  const synthesizer = Layer.succeed(Synthesizer, {
    ability,
    speak: (utterance) =>
      Stream.unwrap(BusinessTime.hold(Effect.map(Stream.runCollect(speak(utterance)), Stream.fromChunk)))
  })
  const { transcribe } = yield* Effect.provide(
    Transcriber,
    yield* Layer.build(Layer.provide(phraseBook(phrases), synthesizer))
  )
  const transcriber = Layer.succeed(Transcriber, {
    available: true,
    transcribe: (audio, options) => BusinessTime.hold(transcribe(audio, options))
  })
  return { synthesizer, transcriber }
}).pipe(BusinessTime.hold)

const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

/** Calls in, says two phrases, and returns the transcript. */
const callIn = (offers: Queue.Enqueue<InboundOffer>) =>
  Effect.gen(function*() {
    const { analytics, deployments } = yield* Engine
    yield* deployments.create(scope, deployment, "demo")
    const { caller, line: audio } = yield* makeSimulatedAudioLine()
    yield* Queue.offer(offers, {
      provider_call_id: "call-1",
      connection: line,
      from: phone("+919876543210"),
      to: phone("+911140000001"),
      accept: Effect.succeed(audio),
      reject: () => Effect.void
    })
    for (const text of phrases.slice(0, 2)) {
      yield* wait(4_000)
      const sound = yield* soundOf(text, { pace: 1.1 })
      caller.say(sound)
      yield* wait(sound.length / 8)
    }
    assert.strictEqual(yield* caller.ended, "agent")
    yield* wait(1_000)
    const { items: [item] } = yield* analytics.attempts(scope, AppId.make("desk"), today)
    const attempt = yield* findOne(
      (yield* AttemptStore).findMany,
      (item ?? assert.fail("there was no call")).attempt_id
    )
    return Option.getOrThrow(attempt).result?.interaction?.transcript ?? []
  })

const understandsTwoPhrases = Effect.gen(function*() {
  const { synthesizer, transcriber } = yield* speech
  const offers = yield* Queue.unbounded<InboundOffer>()
  const carriers = Carriers.layerOf([{
    provider: "audible",
    protocol: "simulated",
    dedupe: () => ({ _tag: "None" }),
    place: () => Effect.fail(new DialFailed({ certainty: "provider", reason: "audible: only receives" })),
    lookup: () => Effect.succeed({ _tag: "NotFound" }),
    offers: Stream.fromQueue(offers)
  }])
  const options = { agents, connections: [connection], model, synthesizer, transcriber }
  const engine = Engine.layer().pipe(Layer.provideMerge(Layer.merge(memoryParts(options), carriers)))
  const transcript = yield* Effect.provide(callIn(offers), Layer.merge(engine, synthesizer))
  assert.deepStrictEqual(transcript.map(({ en_text, role }) => `${role}: ${en_text}`), [
    "agent: Hello.",
    "user: I want to book a table.",
    "agent: Your table is booked.",
    "user: Goodbye and thanks.",
    "agent: See you."
  ])
})

describe.skipIf(!isThere)("a call with the voice of espeak-ng (needs the program)", () => {
  virtualTest("is understood and answered", () => understandsTwoPhrases, { start: Date.parse("2024-05-20T04:30:00Z") })
})
