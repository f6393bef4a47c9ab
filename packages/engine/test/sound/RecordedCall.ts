import type { Agent } from "@trunkline/agents"
import { CallQuery } from "@trunkline/analytics"
import { mulaw } from "@trunkline/audio"
import { BusinessTime, collectBytes, InteractionId, PhoneNumber } from "@trunkline/kernel"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import {
  type AudioLine,
  type Carrier,
  Carriers,
  Connection,
  DialFailed,
  type InboundOffer,
  makeSimulatedAudioLine
} from "@trunkline/telephony"
import { Effect, Layer, Queue, Schema, Stream } from "effect"
import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "../../src/index.js"
import { collections, deploymentBody, scope } from "../Fixtures.js"

const line = Schema.decodeUnknownSync(Connection)({
  connection_id: "sim-1",
  provider: "audible",
  phone_numbers: ["+911140000001"]
})

const receiver = (offers: Queue.Dequeue<InboundOffer>): Carrier => ({
  provider: "audible",
  protocol: "simulated",
  dedupe: () => ({ _tag: "None" }),
  place: () => Effect.fail(new DialFailed({ certainty: "provider", reason: "audible: only receives" })),
  lookup: () => Effect.succeed({ _tag: "NotFound" }),
  offers: Stream.fromQueue(offers)
})

const model = ScriptedModel.layer([
  { when: userSays("record"), reply: "Thank you.", toolCall: { name: "record_call", arguments: {} } },
  { when: userSays("table"), reply: "For how many people shall I book the table?" },
  { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } }
])

type Version = (typeof Agent.Encoded)["versions"][number]

/** Options of an engine with a restaurant's agent. */
export const restaurant = (
  recording: EngineOptions["recording"],
  version: Partial<Version> = {}
): MemoryOptions & EngineOptions => ({
  agents: [{
    app_id: "collections",
    versions: [{ app_version: 1, committed: true, first_message: "Hello, this is the restaurant.", ...version }]
  }],
  connections: [Schema.encodeSync(Connection)(line)],
  model,
  synthesizer: modemVoice(),
  transcriber: modemTranscriber,
  ...(recording !== undefined && { recording })
})

export const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

/** A caller and the engine, while they talk. */
export interface Talk {
  /** Says words to their end. */
  readonly say: (words: string) => Effect.Effect<void>
  readonly hold: (on: boolean) => void
  readonly ended: Effect.Effect<unknown>
}

/** Runs a call to an engine with options, and returns what is recorded of it. */
export const recordedCall = <E>(
  options: MemoryOptions & EngineOptions,
  talk: (talk: Talk) => Effect.Effect<void, E>,
  parts: Layer.Layer<Layer.Layer.Success<ReturnType<typeof memoryParts>>, Error> = memoryParts(options)
) =>
  Effect.gen(function*() {
    const offers = yield* Queue.unbounded<InboundOffer>()
    const layer = Engine.layer(options).pipe(
      Layer.provideMerge(Layer.merge(parts, Carriers.layerOf([receiver(offers)])))
    )
    return yield* Effect.gen(function*() {
      const { analytics, deployments, recordings } = yield* Engine
      yield* deployments.create(scope, deploymentBody, "demo")
      const { caller, line: audio } = yield* makeSimulatedAudioLine()
      const say = (words: string): Effect.Effect<void> =>
        Effect.flatMap(
          Effect.orDie(Effect.provide(soundOf(words), modemVoice())),
          (sound) => Effect.zipRight(Effect.sync(() => caller.say(sound)), wait(sound.length / 8))
        )
      const accepted: AudioLine = audio
      yield* Queue.offer(offers, {
        provider_call_id: "call-1",
        connection: line,
        from: Schema.decodeUnknownSync(PhoneNumber)("+919876543210"),
        to: Schema.decodeUnknownSync(PhoneNumber)("+911140000001"),
        accept: Effect.succeed(accepted),
        reject: () => Effect.void
      })
      yield* talk({ say, hold: caller.hold, ended: caller.ended })
      yield* wait(2_000)
      const { items: [item] } = yield* analytics.attempts(scope, collections, wholeDay)
      const id = item?.interaction_id ?? InteractionId.make("none")
      const found = yield* Effect.either(analytics.recording(scope, collections, id))
      const bytes = found._tag === "Right" ? yield* collectBytes(found.right.bytes) : null
      return { item, bytes, found, recordings, id, detail: item && (yield* analytics.attempt(scope, item.attempt_id)) }
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

/** Words of one side of a stereo WAV file: 0 for the caller, 1 for the agent. */
export const wordsOf = (wav: Uint8Array, side: 0 | 1) =>
  Effect.gen(function*() {
    const codes = wav.subarray(58).filter((_, index) => index % 2 === side)
    const { transcribe } = yield* Transcriber
    return yield* transcribe({ rate: 8_000, samples: mulaw.decode(codes) }, { language: null })
  }).pipe(Effect.provide(modemTranscriber))
