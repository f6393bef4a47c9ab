import { assert, describe } from "@effect/vitest"
import { CallQuery } from "@trunkline/analytics"
import { BusinessTime, findOne, PhoneNumber } from "@trunkline/kernel"
import { meterReading, virtualTest } from "@trunkline/kernel/testing"
import { ScriptedModel, userSays } from "@trunkline/scripted-model"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import {
  AttemptStore,
  type Carrier,
  Carriers,
  Connection,
  DialFailed,
  type InboundOffer,
  makeSimulatedAudioLine
} from "@trunkline/telephony"
import { Effect, Layer, Metric, Option, Queue, Schema, Stream } from "effect"
import { Engine, type EngineOptions, type MemoryOptions, memoryParts } from "../../src/index.js"
import { collections, deploymentBody, mondayMorning, scope } from "../Fixtures.js"

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
  { when: userSays("four"), reply: "Four people, very well. At which time would you like to come?" },
  {
    when: userSays("seven"),
    reply:
      "Seven it is. Let me read you our rules for guests. First, we keep a table for a quarter of an hour. Second, "
      + "we ask you to call us when you are late. Third, we do not take cards."
  },
  { when: userSays("enough"), reply: "Of course. Is there anything else?" },
  { when: userSays("bye"), reply: "Goodbye, see you tonight.", toolCall: { name: "end_call", arguments: {} } }
])

const options: MemoryOptions & EngineOptions = {
  agents: [{
    app_id: "collections",
    versions: [{ app_version: 1, committed: true, first_message: "Hello, this is the restaurant." }]
  }],
  connections: [Schema.encodeSync(Connection)(line)],
  model,
  synthesizer: modemVoice(),
  transcriber: modemTranscriber
}

const wholeDay = Schema.decodeUnknownSync(CallQuery)({
  start_datetime: "2024-05-20T00:00:00Z",
  end_datetime: "2024-05-21T00:00:00Z"
})

/** Number of answers in the metrics so far, by the step that was measured. */
const answersMeasured = Effect.map(
  Metric.snapshot,
  (pairs) =>
    new Map(pairs.flatMap(({ metricKey: { name, tags }, metricState }) => {
      if (!("count" in metricState)) return []
      if (name === "trunkline_turn_gap_seconds") return [["gap", Number(metricState.count)] as const]
      return name === "trunkline_answer_step_seconds"
        ? tags.map(({ value }) => [value, Number(metricState.count)] as const)
        : []
    }))
)

describe("a call with sound", () => {
  virtualTest(
    "is a conversation: five turns, an interruption, and a pause in the middle of a sentence",
    () =>
      Effect.gen(function*() {
        const before = yield* answersMeasured
        const spoken = meterReading("trunkline_voice_first_sound_seconds")
        const heardTurns = meterReading("trunkline_transcript_duration_seconds", { result: "ok" })
        const offers = yield* Queue.unbounded<InboundOffer>()
        const layer = Engine.layer(options).pipe(
          Layer.provideMerge(Layer.merge(memoryParts(options), Carriers.layerOf([receiver(offers)])))
        )
        yield* Effect.gen(function*() {
          const { analytics, deployments } = yield* Engine
          yield* deployments.create(scope, deploymentBody, "demo")
          const { caller, line: audio } = yield* makeSimulatedAudioLine()
          const wait = (millis: number) =>
            Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))
          const say = (words: string) =>
            Effect.flatMap(
              Effect.provide(soundOf(words), modemVoice()),
              (sound) => Effect.zipRight(Effect.sync(() => caller.say(sound)), wait(sound.length / 8))
            )
          const from = Schema.decodeUnknownSync(PhoneNumber)("+919876543210")
          yield* Queue.offer(offers, {
            provider_call_id: "call-1",
            connection: line,
            from,
            to: Schema.decodeUnknownSync(PhoneNumber)("+911140000001"),
            accept: Effect.succeed(audio),
            reject: () => Effect.void
          })
          yield* wait(4_000)
          yield* say("I would like to book a table.")
          yield* wait(5_000)
          yield* say("For")
          yield* wait(700)
          yield* say("four people.")
          yield* wait(7_000)
          yield* say("At seven.")
          yield* wait(6_000)
          yield* say("That is enough, thank you.")
          yield* wait(5_000)
          yield* say("No, bye.")
          assert.strictEqual(yield* caller.ended, "agent")
          yield* wait(1_000)

          const { transcribe } = yield* Transcriber
          const heard = yield* Effect.orDie(
            transcribe({ rate: 8_000, samples: caller.recording() }, { language: null })
          )
          assert.include(heard, "Hello, this is the restaurant. For how many people shall I book the table?")
          assert.notInclude(heard, "cards")
          assert.isAtLeast(meterReading("trunkline_voice_first_sound_seconds") - spoken, 5)
          assert.isAtLeast(meterReading("trunkline_transcript_duration_seconds", { result: "ok" }) - heardTurns, 5)
          assert.isTrue(heard.endsWith("Goodbye, see you tonight."))

          const { items: [item] } = yield* analytics.attempts(scope, collections, wholeDay)
          const attempt = yield* findOne(
            (yield* AttemptStore).findMany,
            (item ?? assert.fail("there was no call")).attempt_id
          )
          const turns = Option.getOrThrow(attempt).result?.interaction?.transcript ?? []
          const textsOf = (role: string) => turns.flatMap((turn) => turn.role === role ? [turn.en_text] : [])
          assert.deepStrictEqual(textsOf("user"), [
            "I would like to book a table.",
            "For four people.",
            "At seven.",
            "That is enough, thank you.",
            "No, bye."
          ])
          const interrupted = textsOf("agent").find((text) => text.startsWith("Seven it is."))
          assert.match(interrupted ?? "", /^Seven it is\. Let me read you our rules for guests\. First, we keep a\b/)
          assert.notMatch(interrupted ?? "", /hour|Second/)
          const gaps = turns.flatMap(({ timings }) =>
            timings && timings.ended_at !== null ? [timings.first_sound_at - timings.ended_at] : []
          )
          assert.lengthOf(gaps, 5)
          assert.isTrue(gaps.every((gap) => gap >= 380 && gap <= 500), String(gaps))

          const ends = turns.flatMap(({ turn_end }) => turn_end === undefined ? [] : [turn_end])
          assert.deepStrictEqual(ends.map(({ rule }) => rule), Array.from({ length: 5 }, () => "silence"))
          assert.deepStrictEqual(
            ends.map(({ completeness, required_ms, waited_ms }) => [completeness, required_ms, waited_ms]),
            Array.from({ length: 5 }, () => ["finished", 400, 400])
          )
          // An answer to words that interrupt the agent is not prepared.
          assert.deepStrictEqual(ends.map(({ prepared }) => prepared), [true, true, true, false, true])
          const { model_inputs } = yield* analytics.attempt(scope, attempt.pipe(Option.getOrThrow).attempt_id)
          assert.deepStrictEqual(model_inputs.map(({ outcome }) => outcome), [
            "answered",
            "given_up",
            ...Array.from({ length: 4 }, () => "answered")
          ])
          assert.isTrue(model_inputs.every(({ turn }) => turns[turn - 1]?.role === "user"))

          const measured = yield* answersMeasured
          for (const step of ["gap", "words", "first_token", "first_clause"]) {
            assert.strictEqual((measured.get(step) ?? 0) - (before.get(step) ?? 0), 5, step)
          }
        }).pipe(Effect.provide(Layer.merge(layer, modemTranscriber)))
      }),
    { start: mondayMorning }
  )
})
