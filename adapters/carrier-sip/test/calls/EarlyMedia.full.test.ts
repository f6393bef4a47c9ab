import { assert, describe, it } from "@effect/vitest"
import { concatSamples } from "@trunkline/audio"
import { BusinessTime } from "@trunkline/kernel"
import type { IncomingCall } from "@trunkline/sip"
import { modemTranscriber, modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { Effect, ManagedRuntime, type Scope } from "effect"
import { afterAll } from "vitest"
import { makeCallSound } from "../../src/calls/CallSound.js"
import { Media } from "../../src/media/Media.js"
import type { SrtpMode } from "../../src/settings/ConnectionOptions.js"
import { layerSteppedMedia } from "../media/Sessions.js"
import { openPhone, type Phone } from "../peers/Phone.js"
import { carrierOf, connectionTo, lineOf, planFor } from "../peers/World.js"

const runtime = ManagedRuntime.make(layerSteppedMedia)
afterAll(() => runtime.dispose())

const test = (name: string, body: () => Effect.Effect<void, unknown, Scope.Scope | Media>) =>
  it.live(name, () => Effect.scoped(Effect.provide(body(), runtime)))

const spoken = (words: string) => Effect.provide(soundOf(words), modemVoice())

const switchedOff = spoken("The number you are calling is switched off.")
const notThere = spoken("The number does not exist.")

/** Busy tone of India. */
const busyTone = Effect.succeed(concatSamples(
  Array.from({ length: 5 }, () => [
    Float32Array.from({ length: 6_000 }, (_, at) => 0.2 * Math.sin(2 * Math.PI * 400 * at / 8_000)),
    new Float32Array(6_000)
  ]).flat()
))

/** Plays sound to a caller before the answer, with a session description and a port of its own. */
const play = (call: IncomingCall, sound: typeof switchedOff, srtp: SrtpMode = "off") =>
  Effect.gen(function*() {
    const samples = yield* sound
    const session = yield* (yield* Media).open({ address: "127.0.0.1", family: 4 })
    const { answer } = makeCallSound(session, {
      address: "127.0.0.1",
      codecs: ["PCMA", "PCMU"],
      natLatch: false,
      sessionId: 8,
      srtp
    })
    yield* call.ring(yield* answer(call.offer ?? ""))
    session.play(samples)
    yield* BusinessTime.sleep(`${samples.length / 8 + 500} millis`)
  }).pipe(Effect.scoped, Effect.provide(runtime))

/** A call to a phone that reacts in some way; its ear understands the modem voice, and counts how often it is asked. */
const called = (
  react: (call: IncomingCall, phone: Phone) => Effect.Effect<unknown, unknown, Scope.Scope>,
  options: Readonly<Record<string, unknown>> = {}
) =>
  Effect.gen(function*() {
    const phone = yield* openPhone((phone) => (call) => Effect.asVoid(react(call, phone)))
    const connection = connectionTo(phone.port, options)
    const carrier = yield* carrierOf(connection)
    const { transcribe } = yield* Effect.provide(Transcriber, modemTranscriber)
    let questions = 0
    const plan = planFor(connection)
    const call = yield* carrier.place({
      ...plan,
      wordsOf: (sound) => {
        questions += 1
        return Effect.orDie(transcribe(sound, { language: null }))
      }
    })
    return { call, phone, id: plan.attempt_id, questions: () => questions }
  })

/** The outcome of a call: its status, its reason, and how often the ear was asked. */
const outcomeOf = (...args: Parameters<typeof called>) =>
  Effect.gen(function*() {
    const { questions, call } = yield* called(...args)
    const { reason, status } = yield* Effect.flip(call.answer)
    return [status, reason, questions()] as const
  })

const q850 = (cause: number) => [["reason", `Q.850;cause=${cause}`] as const]

/** A phone before whose refusal a sound is played. */
const refuses = (status: number, sound = switchedOff, cause?: number) => (call: IncomingCall) =>
  Effect.zipRight(play(call, sound), call.reject(status, cause === undefined ? [] : q850(cause)))

const announcement = "sip: announcement: switched off"

describe("sound before the answer", () => {
  test("tells why a phone was not reached where the response does not", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* outcomeOf(refuses(480)), ["no_answer", announcement, 1])
      assert.deepStrictEqual(yield* outcomeOf(refuses(503)), ["no_answer", announcement, 1])
      assert.deepStrictEqual(yield* outcomeOf(refuses(603)), ["no_answer", announcement, 1])
      assert.deepStrictEqual(yield* outcomeOf(refuses(487, notThere)), [
        "failed",
        "sip: announcement: the number does not exist",
        1
      ])
      assert.deepStrictEqual(yield* outcomeOf(refuses(480, switchedOff, 31)), ["no_answer", announcement, 1])
    }))

  test("tells by a busy tone that a phone is busy, and needs no transcriber", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* outcomeOf(refuses(480, busyTone)), ["busy", "sip: tone: busy", 0])
    }))

  test("is not asked for words where the response or its cause tells why", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* outcomeOf(refuses(486)), ["busy", null, 0])
      assert.deepStrictEqual(yield* outcomeOf(refuses(404)), ["failed", "sip: invalid_number", 0])
      assert.deepStrictEqual(yield* outcomeOf(refuses(480, switchedOff, 17)), ["busy", null, 0])
      assert.deepStrictEqual(yield* outcomeOf(refuses(500, switchedOff, 19)), ["no_answer", null, 0])
    }))

  test("is not asked for words where the outcomes of the trunk tell why", () =>
    Effect.gen(function*() {
      const outcomes = { statuses: { 480: "declined" }, causes: { 1: "rejected_by_provider" } }
      assert.deepStrictEqual(yield* outcomeOf(refuses(480), { outcomes }), ["busy", "declined", 0])
      assert.deepStrictEqual(yield* outcomeOf(refuses(503, notThere), { outcomes }), [
        "provider_error",
        "sip: announcement: the number does not exist",
        1
      ])
    }))

  test("is left alone, or is heard without words, where the line says so", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* outcomeOf(refuses(480), { early_media: "off" }), ["no_answer", null, 0])
      assert.deepStrictEqual(yield* outcomeOf(refuses(480), { early_media: "tones" }), ["no_answer", null, 0])
      assert.deepStrictEqual(yield* outcomeOf(refuses(480, busyTone), { early_media: "off" }), ["no_answer", null, 0])
      const tone = yield* outcomeOf(refuses(480, busyTone), { early_media: "tones" })
      assert.deepStrictEqual(tone, ["busy", "sip: tone: busy", 0])
    }))

  test("is not asked for words where there is none, or only silence", () =>
    Effect.gen(function*() {
      const rings = (call: IncomingCall) => Effect.zipRight(call.ring(), call.reject(480))
      assert.deepStrictEqual(yield* outcomeOf(rings), ["no_answer", null, 0])
      const silence = refuses(480, Effect.succeed(new Float32Array(24_000)))
      assert.deepStrictEqual(yield* outcomeOf(silence), ["no_answer", null, 0])
    }))

  test("is that of the latest provisional response, and is encrypted with its keys", () =>
    Effect.gen(function*() {
      const twice = (call: IncomingCall) =>
        Effect.all([play(call, busyTone), play(call, notThere), call.reject(480)], { discard: true })
      assert.deepStrictEqual((yield* outcomeOf(twice))[1], "sip: announcement: the number does not exist")
      const encrypted = (call: IncomingCall) => Effect.zipRight(play(call, switchedOff, "required"), call.reject(480))
      assert.deepStrictEqual(yield* outcomeOf(encrypted, { srtp: "required" }), ["no_answer", announcement, 1])
      assert.deepStrictEqual(yield* outcomeOf(encrypted, { srtp: "preferred" }), ["no_answer", announcement, 1])
    }))

  for (const srtp of ["off", "preferred"] as const) {
    test(`leaves nothing behind in a call that is answered: ${srtp === "off" ? "plain" : "encrypted at first"}`, () =>
      Effect.gen(function*() {
        const hello = yield* spoken("Hello.")
        const { questions, call, id, phone } = yield* called(
          (call, phone) => Effect.zipRight(play(call, switchedOff, srtp), phone.answer(call)),
          { srtp }
        )
        const line = lineOf(yield* call.answer)
        const frames: Array<Float32Array> = []
        line.hear((event) => {
          if (event._tag === "Frame") frames.push(event.samples.slice())
        })
        yield* BusinessTime.sleep("1 second")
        assert.isAbove(frames.length, 40)
        assert.isBelow(Math.max(...concatSamples(frames).map(Math.abs)), 0.001)
        phone.answered.get(id)?.say(hello)
        yield* BusinessTime.sleep(`${hello.length / 8 + 500} millis`)
        const { transcribe } = yield* Effect.provide(Transcriber, modemTranscriber)
        const words = yield* transcribe({ rate: 8_000, samples: concatSamples(frames) }, { language: null })
        assert.strictEqual(words, "Hello.")
        assert.strictEqual(questions(), 0)
        yield* line.hangUp
      }))
  }
})
