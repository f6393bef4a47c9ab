import { assert, describe, it } from "@effect/vitest"
import { durationOf } from "@trunkline/audio"
import { Speech, type SynthesisInput, Voices, VoiceStore } from "@trunkline/speech"
import { Effect, Exit, Stream } from "effect"
import {
  generateAsked,
  nativeRate,
  savedVoice,
  speechOf,
  streamAsked,
  tone,
  unknownVoice,
  watchedMeter,
  wavOf
} from "./Parts.js"
import { lasting, sizeOf, tagOf } from "./SpeechFixtures.js"

describe("the clip and length of a speech", () => {
  const speaksFor = (seconds: number) => ({ speak: () => Stream.make(tone(seconds)) })

  const secondsFor = (change: Parameters<typeof generateAsked>[1]) =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { bytes, seconds } = yield* (yield* Speech).generate("acme", generateAsked(voice_id, change), meter)
      assert.closeTo(lasting(bytes.length, change?.format?.rate), seconds, 1e-9)
      return seconds
    })

  it.effect("rejects a voice that the account does not have", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { meter } = yield* watchedMeter
      const { generate } = yield* Speech
      for (const [account, voice] of [["acme", unknownVoice], ["globex", voice_id]] as const) {
        assert.strictEqual(tagOf(yield* Effect.exit(generate(account, generateAsked(voice), meter))), "BadRequest")
      }
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  it.effect("passes the voice's clip, text and length to the engine, and shares the decoded clip", () =>
    Effect.gen(function*() {
      const references: Array<SynthesisInput["reference"]> = []
      const speak = ({ reference }: SynthesisInput) => {
        references.push(reference)
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        const { voice_id } = yield* savedVoice(3)
        const { meter } = yield* watchedMeter
        const { generate } = yield* Speech
        yield* Effect.all([1, 2].map(() => generate("acme", generateAsked(voice_id), meter)), { concurrency: 2 })
        const [one, other] = references
        assert.deepInclude(one, { voice_id, text: "a clip", language: "hi-IN", seconds: 3 })
        assert.strictEqual(one && durationOf(one.audio), 3)
        assert.strictEqual(one?.audio, other?.audio)
      }).pipe(Effect.provide(speechOf({ speak })))
    }))

  it.effect("retries loading a clip after a failure", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const store = yield* VoiceStore
      let broken = true
      const clip: typeof store.clip = (...of) => broken ? Effect.die("The disk is busy") : store.clip(...of)
      yield* Effect.gen(function*() {
        const { meter } = yield* watchedMeter
        const { generate } = yield* Speech
        assert.isTrue(Exit.isFailure(yield* Effect.exit(generate("acme", generateAsked(voice_id), meter))))
        broken = false
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(generate("acme", generateAsked(voice_id), meter))))
      }).pipe(Effect.provide(speechOf(speaksFor(1), {}, undefined, { ...store, clip })))
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  it.effect("normalizes numbers unless normalization is off", () =>
    Effect.gen(function*() {
      const texts: Array<string> = []
      const speak = ({ text }: SynthesisInput) => {
        texts.push(text)
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        yield* secondsFor({ text: "Call 12" })
        yield* secondsFor({ text: "Call 12", normalize: false })
        yield* secondsFor({ text: "Call 12", normalize: true })
      }).pipe(Effect.provide(speechOf({ speak })))
      assert.deepStrictEqual(texts, ["Call twelve", "Call 12", "Call twelve"])
      texts.length = 0
      yield* Effect.provide(secondsFor({ text: "Call 12" }), speechOf({ speak }, { normalize: false }))
      assert.deepStrictEqual(texts, ["Call 12"])
    }))

  it.effect("keeps 15 seconds of a longer clip, and rejects clips over a minute or under half a second", () =>
    Effect.gen(function*() {
      const voice = yield* savedVoice(20)
      assert.strictEqual(voice.reference_duration, 15)
      assert.strictEqual(tagOf(yield* Effect.exit(savedVoice(61))), "BadRequest")
      assert.strictEqual(tagOf(yield* Effect.exit(savedVoice(0.4))), "BadRequest")
      const { list } = yield* Voices
      const page = { offset: 0, limit: 10, sort_by: "name", sort_order: "asc", search: "" } as const
      assert.strictEqual((yield* list("acme", page)).total, 1)
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  const withClip = (samples: Float32Array, text: string | null = null) =>
    Effect.gen(function*() {
      const { meter } = yield* watchedMeter
      const clip = { bytes: yield* wavOf(samples), filename: "clip.wav", contentType: null }
      const request = generateAsked(unknownVoice, { source: { kind: "clip", clip, text } })
      return yield* (yield* Speech).generate("acme", request, meter)
    })

  it.effect("accepts a clip of 15 seconds plus codec padding, and rejects one without speech", () =>
    Effect.gen(function*() {
      assert.strictEqual(tagOf(yield* Effect.exit(withClip(tone(15.04)))), "none")
      for (const clip of [tone(15.2), tone(0.4), new Float32Array(3 * nativeRate)]) {
        const refused = yield* Effect.flip(withClip(clip))
        assert.strictEqual(refused._tag, "BadRequest")
        assert.match(refused.message, /^ref_audio cannot be used\. [A-Z]/)
      }
    }).pipe(Effect.provide(speechOf(speaksFor(1)))))

  it.effect("transcribes clips without a transcript, for requests and saved voices, streamed or whole", () =>
    Effect.gen(function*() {
      const texts: Array<string | null> = []
      const speak = ({ reference }: SynthesisInput) => {
        texts.push(reference?.text ?? null)
        return Stream.make(tone(1))
      }
      yield* Effect.gen(function*() {
        yield* withClip(tone(2))
        yield* withClip(tone(2), "said so")
      }).pipe(Effect.provide(speechOf({ speak }, {}, () => Effect.succeed("written down"))))
      yield* Effect.provide(withClip(tone(2)), speechOf({ speak }))
      assert.deepStrictEqual(texts, ["written down", "said so", null])

      texts.length = 0
      const store = yield* Effect.provide(
        Effect.gen(function*() {
          yield* savedVoice(2, null)
          return yield* VoiceStore
        }),
        speechOf({ speak })
      )
      const page = { offset: 0, limit: 1, sort_by: "name", sort_order: "asc", search: "" } as const
      const { items: [voice] } = yield* store.list("acme", page)
      const voice_id = voice?.voice_id ?? unknownVoice
      yield* Effect.gen(function*() {
        const { meter } = yield* watchedMeter
        const { generate, stream } = yield* Speech
        yield* generate("acme", generateAsked(voice_id), meter)
        yield* Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf))
      }).pipe(Effect.provide(speechOf({ speak }, {}, () => Effect.succeed("written down"), store)))
      assert.deepStrictEqual(texts, ["written down", "written down"])
    }))

  it.effect("charges nothing for a stream that dies", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { stream } = yield* Speech
      yield* Effect.exit(Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf)))
      assert.deepStrictEqual(yield* log, ["reserve 11", "release"])
    }).pipe(Effect.provide(speechOf({ speak: () => Stream.concat(Stream.make(tone(1)), Stream.die("a trap")) }))))

  it.effect("rejects more than five minutes in one piece, and streams them", () =>
    Effect.gen(function*() {
      const { voice_id } = yield* savedVoice()
      const { log, meter } = yield* watchedMeter
      const { generate, stream } = yield* Speech
      const refused = yield* Effect.flip(generate("acme", generateAsked(voice_id, { trim: false }), meter))
      assert.deepInclude(refused, { _tag: "BadRequest", param: "text" })
      const size = yield* Effect.scoped(Effect.flatMap(stream("acme", streamAsked(voice_id), meter), sizeOf))
      assert.strictEqual(lasting(size), 301)
      assert.deepStrictEqual(yield* log, ["reserve 11", "release", "reserve 11", "settle 11"])
    }).pipe(Effect.provide(speechOf({
      speak: () => Stream.concat(Stream.make(tone(1)), Stream.take(Stream.repeatValue(tone(10)), 30))
    }))))
})
