import { CallQuery, CallRecord, CallRecords } from "@trunkline/analytics"
import { wavHeader } from "@trunkline/audio"
import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "@trunkline/engine"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { AppId, AttemptId, BusinessTime, OrgId, PhoneNumber, Scope, VirtualClock, WorkspaceId } from "@trunkline/kernel"
import { serve } from "@trunkline/node-http"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { modemTranscriber, modemVoice, soundOf } from "@trunkline/speech"
import {
  type Carrier,
  Carriers,
  Connection,
  CreateDeployment,
  DialFailed,
  type InboundOffer,
  makeSimulatedAudioLine
} from "@trunkline/telephony"
import { Effect, Layer, Option, Queue, Schema, Stream } from "effect"
import { consoleAnswers } from "./Recorded.js"

const scope = new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make("main") })
const rate = 8_000

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

const options: MemoryOptions & EngineOptions = {
  agents: [{
    app_id: "collections",
    versions: [{
      app_version: 1,
      committed: true,
      first_message: "Hello, this is the restaurant.",
      prompt: "You take bookings for a restaurant. Ask for the number of people, then for the time.",
      output_variables: [{ name: "people", description: "number of guests", required: true }]
    }]
  }],
  connections: [Schema.encodeSync(Connection)(line)],
  model: ScriptedModel.layer([
    { when: userSays("table"), reply: "For how many people shall I book the table?" },
    {
      when: userSays("four"),
      reply: "Four people, very well. At which time would you like to come?",
      toolCall: { name: "set_variables", arguments: { people: 4 } }
    },
    { when: userSays("seven"), reply: "Seven it is. Is there anything else?" },
    { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } }
  ]),
  synthesizer: modemVoice(),
  transcriber: modemTranscriber
}

const deployment = Schema.decodeUnknownSync(CreateDeployment)({
  name: "Desk",
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: ["+911140000001"] }]
})

const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

/** A WAV file of two channels, the person first. */
const stereo = (person: Float32Array, agent: Float32Array): Uint8Array => {
  const length = Math.max(person.length, agent.length)
  const header = wavHeader({ rate, samples: length * 2 })
  const view = new DataView(header.buffer)
  view.setUint16(22, 2, true)
  view.setUint32(28, rate * 4, true)
  view.setUint16(32, 4, true)
  const samples = new Int16Array(length * 2)
  for (let at = 0; at < length; at++) {
    samples[at * 2] = Math.round((person[at] ?? 0) * 32_000)
    samples[at * 2 + 1] = Math.round((agent[at] ?? 0) * 32_000)
  }
  const file = new Uint8Array(header.length + samples.byteLength)
  file.set(header)
  file.set(new Uint8Array(samples.buffer), header.length)
  return file
}

/** A call in which somebody books a table by voice, in simulated time: its record, and a recording of both sides. */
const soundCall = Effect.gen(function*() {
  const offers = yield* Queue.unbounded<InboundOffer>()
  const engine = Engine.layer(options).pipe(
    Layer.provideMerge(Layer.merge(memoryParts(options), Carriers.layerOf([receiver(offers)])))
  )
  return yield* Effect.gen(function*() {
    yield* (yield* Engine).deployments.create(scope, deployment, "demo")
    const { caller, line: audio } = yield* makeSimulatedAudioLine()
    const phone = Schema.decodeUnknownSync(PhoneNumber)
    yield* Queue.offer(offers, {
      provider_call_id: "call-1",
      connection: line,
      from: phone("+919876543210"),
      to: phone("+911140000001"),
      accept: Effect.succeed(audio),
      reject: () => Effect.void
    })
    const person: Array<{ readonly at: number; readonly sound: Float32Array }> = []
    const say = (words: string, pause: number) =>
      Effect.gen(function*() {
        const sound = yield* Effect.orDie(Effect.provide(soundOf(words), modemVoice()))
        person.push({ at: caller.recording().length, sound })
        caller.say(sound)
        yield* wait(sound.length / 8 + pause)
      })
    yield* wait(4_000)
    yield* say("I would like to book a table.", 5_000)
    yield* say("For", 700)
    yield* say("four people.", 7_000)
    yield* say("At seven.", 5_000)
    yield* say("No, bye.", 0)
    yield* caller.ended
    yield* wait(1_000)
    const agent = caller.recording()
    const mixed = new Float32Array(agent.length)
    for (const { at, sound } of person) mixed.set(sound.subarray(0, Math.max(0, mixed.length - at)), at)
    const { items: [item] } = yield* (yield* Engine).analytics.attempts(scope, AppId.make("collections"), wholeDay)
    const stored = Option.getOrThrow(yield* (yield* CallRecords).find(scope, AttemptId.make(item?.attempt_id ?? "")))
    return { stored, recording: stereo(mixed, agent) }
  }).pipe(Effect.provide(engine))
})

/** Moment at which the call begins: Monday 20 May 2024, 10:00 in India. */
const mondayMorning = Date.parse("2024-05-20T04:30:00Z")

const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

/** Serves the record of the call, its recording and the console; the key of the page opens its workspace. */
export const serveSoundCall = async () => {
  const { recording, stored } = await Effect.runPromise(
    VirtualClock.run(Effect.scoped(soundCall), { start: mondayMorning, stallTimeout: "2 minutes" })
  )
  const { record, transcript } = stored
  const failed = { ...record, attempt_id: failedCall, conversation: null, completion_status: "failed" as const }
  const inputs = (stored.modelInputs ?? []).slice(0, 3)
  const keep = Effect.gen(function*() {
    const { recordings } = yield* Engine
    const calls = yield* CallRecords
    const last = inputs.map((input, index): typeof input =>
      index < 2 ? input : { ...input, outcome: "failed", failure: "The model did not answer in time" }
    )
    yield* calls.recordMany([
      stored,
      {
        record: new CallRecord({ ...failed, failure_reason: "The language model could not answer." }),
        transcript: null,
        modelInputs: last
      }
    ])
    if (transcript !== null) yield* recordings.keep(scope, transcript.interaction_id, Stream.make(recording))
  })
  const page = await consoleAnswers({})
  const server = await serve(Layer.tap(testEngineWith({}), (context) => Effect.provide(keep, context)), {
    port: 0,
    page
  })
  return { ...server, key: testKeys.main, call: record.attempt_id, failed: failedCall, workspace: "acme/main" }
}

/** The same call, whose model failed at its second answer, so that it has no transcript. */
const failedCall = AttemptId.make("018f9430-0000-7000-8000-00000000fa11")
