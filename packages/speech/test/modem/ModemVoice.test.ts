import { assert, describe, it } from "@effect/vitest"
import { concatSamples } from "@trunkline/audio"
import { ModelFailed } from "@trunkline/errors"
import { modemVoice, Synthesizer } from "@trunkline/speech"
import { sampleTexts } from "@trunkline/speech/testing"
import { Chunk, Effect, Fiber, Option, Ref, Stream, TestClock } from "effect"
import { emptyReference, spokenBy, transcriptOf, utterance } from "./ModemSpeech.js"

const spoken = spokenBy()

const { "en-IN": english, "hi-IN": hindi } = sampleTexts

const powerOf = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length

const decibels = (power: number) => 10 * Math.log10(power)

describe("the modem voice", () => {
  it.effect("has the volume of telephone speech throughout, without clicks", () =>
    Effect.gen(function*() {
      const { rate, samples } = yield* spoken(english)
      assert.approximately(decibels(powerOf(samples)), -20, 0.5)
      for (let from = 0; from + rate / 50 <= samples.length; from += rate / 50) {
        assert.isAbove(decibels(powerOf(samples.subarray(from, from + rate / 50))), -24)
      }
      assert.isBelow(Math.max(...samples), 0.21)
      const steepest = 0.1 * 2 * Math.PI * (1_150 + 2_450) / rate
      assert.isTrue(samples.every((sample, at) => Math.abs(sample - (samples[at - 1] ?? 0)) <= steepest))
    }))

  it.effect("speaks at about the speed of people, in every script", () =>
    Effect.forEach(Object.values(sampleTexts), (sentence) =>
      Effect.map(spoken(sentence), ({ rate, samples }) => {
        assert.isAbove(Array.from(sentence).length / (samples.length / rate), 10)
        assert.isBelow(Array.from(sentence).length / (samples.length / rate), 16)
      })))

  it.effect("generates the same audio for the same text, for any language, clip and take", () =>
    Effect.gen(function*() {
      const first = yield* spoken(hindi)
      const reference = { ...emptyReference, text: "another", voice_id: "svc-1" }
      assert.deepStrictEqual(yield* spoken(hindi, { take: 1, language: "ta-IN", reference }), first)
    }))

  it.effect("streams short pieces in real time", () =>
    Effect.gen(function*() {
      const { speak } = yield* Synthesizer
      const lengths = yield* Ref.make(Chunk.empty<number>())
      const listening = Stream.runForEach(
        speak(utterance(hindi)),
        ({ length }) => Ref.update(lengths, Chunk.append(length))
      )
      const listener = yield* Effect.fork(listening)
      assert.strictEqual(Chunk.size(yield* lengths), 0)
      yield* TestClock.adjust("60 millis")
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* lengths), [1_440])
      yield* TestClock.adjust("60 millis")
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* lengths), [1_440, 1_440])
      assert.isTrue(Option.isNone(yield* Fiber.poll(listener)))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(listener)
    }).pipe(Effect.provide(modemVoice({ delay: "60 millis" }))))

  it.effect("has the configured capabilities", () =>
    Effect.gen(function*() {
      const abilityOf = (options: Parameters<typeof modemVoice>[0]) =>
        Effect.provide(Effect.map(Synthesizer, ({ ability }) => ability), modemVoice(options))
      assert.deepInclude(yield* abilityOf({}), { cloning: "none", controls: [], nativeRate: 24_000 })
      assert.strictEqual((yield* abilityOf({})).languages.length, 12)
      const claim = { cloning: "zero-shot", controls: ["pace"], nativeRate: 16_000 } as const
      assert.deepInclude(yield* abilityOf(claim), claim)
    }))

  it.effect("can misread a single utterance", () =>
    Effect.gen(function*() {
      const misread = spokenBy({ fault: ({ take }) => take === 0 ? { text: "wrong" } : undefined })
      assert.strictEqual(yield* transcriptOf(yield* misread(english)), "wrong")
      assert.strictEqual(yield* transcriptOf(yield* misread(english, { take: 1 })), english)
    }))

  it.effect("can clip, and is still decoded", () =>
    Effect.gen(function*() {
      const audio = yield* spokenBy({ fault: () => ({ clipped: true }) })(english)
      assert.isAbove(audio.samples.filter((sample) => Math.abs(sample) === 1).length / audio.samples.length, 0.5)
      assert.strictEqual(yield* transcriptOf(audio), english)
    }))

  it.effect("can truncate without a failure", () =>
    Effect.gen(function*() {
      const { rate, samples } = yield* spokenBy({ fault: () => ({ after: 0.9 }) })(english)
      assert.strictEqual(samples.length, 0.9 * rate)
      const whole = yield* spoken(english)
      assert.deepStrictEqual(samples, whole.samples.slice(0, samples.length))
    }))

  it.effect("can fail after some audio, or before any", () =>
    Effect.gen(function*() {
      const failure = new ModelFailed({ message: "out of breath" })
      for (const after of [0, 0.5]) {
        const { speak } = yield* Effect.provide(Synthesizer, modemVoice({ fault: () => ({ after, ends: failure }) }))
        const pieces: Array<Float32Array> = []
        const speaking = Stream.runForEach(speak(utterance(english)), (piece) => Effect.sync(() => pieces.push(piece)))
        assert.strictEqual(yield* Effect.flip(speaking), failure)
        assert.strictEqual(concatSamples(pieces).length, after * 24_000)
      }
    }))

  it.effect("can hang after some audio until it is interrupted", () =>
    Effect.gen(function*() {
      const { speak } = yield* Effect.provide(
        Synthesizer,
        modemVoice({ fault: () => ({ after: 0.06, ends: "never" }) })
      )
      const heardOnce = yield* Ref.make(0)
      const listener = yield* Effect.fork(
        Stream.runForEach(speak(utterance(english)), () => Ref.update(heardOnce, (count) => count + 1))
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* heardOnce, 1)
      assert.isTrue(Option.isNone(yield* Fiber.poll(listener)))
      yield* Fiber.interrupt(listener)
    }))
})
