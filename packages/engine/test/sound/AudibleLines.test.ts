import { assert, describe } from "@effect/vitest"
import { alaw, type G711, levelsOf, mulaw } from "@trunkline/audio"
import { testCallBrief } from "@trunkline/conversation/testing"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { userSays } from "@trunkline/scripted-model"
import { soundOf, Transcriber } from "@trunkline/speech"
import { type AudioLine, CallHandler, makeSimulatedAudioLine, Voicing } from "@trunkline/telephony"
import { assertTurns, runAudibleCall } from "@trunkline/turn-taking/testing"
import { Duration, Effect, Fiber } from "effect"
import { soundLayer } from "./Fixtures.js"

const layer = soundLayer({
  version: { first_message: "Hello, the library." },
  rules: [
    { when: userSays("open"), reply: "We are open until nine. Would you like to come today?" },
    { when: userSays("bye"), reply: "Goodbye, see you at nine.", toolCall: { name: "end_call", arguments: {} } }
  ]
})

/** A call on a line with sound, with its caller. */
const answered = Effect.gen(function*() {
  const { caller, line } = yield* makeSimulatedAudioLine()
  const { legOf } = yield* Voicing
  const { handle } = yield* CallHandler
  return { call: yield* Effect.fork(handle(yield* legOf(line, testCallBrief), testCallBrief)), caller }
})

/** Random numbers from -1 to 1, the same in each run. */
const makeNoise = () => {
  let state = 12_345
  return () => {
    state = state * 48_271 % 2_147_483_647
    return state / 1_073_741_824 - 1
  }
}

/** Level of the noise: 20 dB below the modem voice. */
const noiseLevel = (voice: Float32Array): number =>
  Math.sqrt(3) * 10 ** ((levelsOf({ rate: 8_000, samples: voice }).rms - 20) / 20)

/** A line through a codec in both directions, on which the agent hears noise, and one frame in fifty is concealed. */
const throughCodec = (line: AudioLine, { decode, encode }: G711, level: number): AudioLine => {
  const random = makeNoise()
  let count = 0
  let last: Float32Array = new Float32Array(160)
  return {
    ...line,
    play: (samples, mark) => line.play(decode(encode(samples)), mark),
    hear: (listener) =>
      line.hear((event) => {
        if (event._tag !== "Frame") return listener(event)
        const samples = decode(encode(event.samples.map((sample) => sample + level * random())))
        const concealed = count++ % 50 === 49
        listener({ _tag: "Frame", samples: concealed ? last : samples, concealed })
        last = samples
      })
  }
}

const wait = (millis: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + millis))

describe("a call with sound over a telephone line", () => {
  for (const [name, codec] of [["mu-law", mulaw], ["A-law", alaw]] as const) {
    virtualTest(
      `is understood word by word through ${name}, with noise and concealed frames`,
      () =>
        Effect.gen(function*() {
          const { caller, line } = yield* makeSimulatedAudioLine()
          const question = yield* soundOf("Are you open?")
          const goodbye = yield* soundOf("Yes, bye.")
          const { legOf } = yield* Voicing
          const { handle } = yield* CallHandler
          const leg = yield* legOf(throughCodec(line, codec, noiseLevel(question)), testCallBrief)
          const call = yield* Effect.fork(handle(leg, testCallBrief))
          yield* wait(3_000)
          caller.say(question)
          yield* wait(8_000)
          caller.say(goodbye)
          const report = yield* Fiber.join(call)
          assert.deepStrictEqual(
            report.transcript.map(({ en_text, role }) => `${role}: ${en_text}`),
            [
              "agent: Hello, the library.",
              "user: Are you open?",
              "agent: We are open until nine. Would you like to come today?",
              "user: Yes, bye.",
              "agent: Goodbye, see you at nine."
            ]
          )
          assert.strictEqual(report.ended_by, "agent")
          const { transcribe } = yield* Transcriber
          assert.strictEqual(
            yield* transcribe({ rate: 8_000, samples: caller.recording() }, { language: null }),
            "Hello, the library. We are open until nine. Would you like to come today? Goodbye, see you at nine."
          )
        }).pipe(Effect.provide(layer))
    )
  }

  virtualTest("goes on after a cough in the pause before the answer", () =>
    Effect.gen(function*() {
      const question = yield* soundOf("Are you open?")
      const { call, caller } = yield* answered
      yield* wait(3_000)
      caller.say(question)
      yield* wait(question.length / 8 + 280)
      caller.say(Float32Array.from({ length: 960 }, (_, at) => 0.3 * Math.sin(at * at)))
      yield* wait(6_000)
      yield* caller.hangUp
      assert.deepStrictEqual(
        (yield* Fiber.join(call)).transcript.map(({ en_text, role }) => `${role}: ${en_text}`),
        [
          "agent: Hello, the library.",
          "user: Are you open?",
          "agent: We are open until nine. Would you like to come today?"
        ]
      )
    }).pipe(Effect.provide(layer)))

  virtualTest("keeps what was heard of a caller who goes on and hangs up", () =>
    Effect.gen(function*() {
      const question = yield* soundOf("Are you open?")
      const { call, caller } = yield* answered
      yield* wait(3_000)
      caller.say(question)
      yield* wait(question.length / 8 + 280)
      caller.say(question)
      yield* wait(300)
      yield* caller.hangUp
      assert.deepStrictEqual(
        (yield* Fiber.join(call)).transcript.map(({ en_text, role }) => `${role}: ${en_text}`),
        ["agent: Hello, the library.", "user: Are you open?"]
      )
    }).pipe(Effect.provide(layer)))

  virtualTest("keeps what was heard when its time is up in the middle of an answer", () =>
    Effect.gen(function*() {
      const call = yield* runAudibleCall({
        brief: { ...testCallBrief, maxDuration: Duration.seconds(7) },
        lines: [{ say: "Are you open?", at: "1800 millis" }]
      })
      assertTurns(call, ["agent: Hello, the library.", "user: Are you open?", "agent: We are open until nine. Would…"])
      assert.strictEqual(call.report.ended_by, "timeout")
      assert.isNull(call.report.fault)
      assert.match(call.report.transcript.at(-1)?.en_text ?? "", /^We are open until nine\. Would( |$)/)
    }).pipe(Effect.provide(layer)))

  virtualTest("is ended by the caller who hangs up during the agent's goodbye", () =>
    Effect.gen(function*() {
      const { report, turns } = yield* runAudibleCall({
        brief: testCallBrief,
        lines: [{ say: "Bye.", afterAgent: "1 second" }, { hangUp: true, intoAgent: "1400 millis" }]
      })
      assert.strictEqual(turns.length, 3)
      assert.strictEqual(report.ended_by, "user")
      assert.isTrue(report.agent_done)
      assert.match(report.transcript.at(-1)?.en_text ?? "", /^Goodbye,( see( you( at)?)?)?$/)
    }).pipe(Effect.provide(layer)))
})
