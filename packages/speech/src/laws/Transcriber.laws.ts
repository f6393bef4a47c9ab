import { assert, layer } from "@effect/vitest"
import type { Sound } from "@trunkline/audio"
import { comparable } from "@trunkline/spoken-text"
import { Effect, Exit, Fiber, type Layer } from "effect"
import type { SpeechFailure } from "../ports/Synthesizer.js"
import { Transcriber } from "../ports/Transcriber.js"
import { characterErrorRate } from "../quality/CharacterErrorRate.js"
import { mostWrong } from "../quality/QualityCheck.js"

/** What the laws must know of a transcriber. */
export interface TranscriberLawOptions {
  /** Speech that it understands: an English text at a rate. */
  readonly say: (text: string, rate: number) => Effect.Effect<Sound, SpeechFailure>
  /** How many sounds are being worked on, for transcribers that can tell. */
  readonly atWork?: Effect.Effect<number>
}

const texts = [
  "Your new bill is ready now.",
  "The weather is very good today.",
  "Please confirm your address."
] as const

const transcribe = (sound: Sound) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(sound, { language: "en-IN" }))

/** What was heard must be near enough to what was said. */
const assertHeard = (heard: string, text: string) =>
  Effect.map(
    characterErrorRate(comparable(text, "en-IN"), comparable(heard, "en-IN")),
    (rate) => assert.isAtMost(rate, mostWrong, heard)
  )

/** The laws of `Transcriber`, for one that is there. */
export const transcriberLaws = <E>(
  name: string,
  live: Layer.Layer<Transcriber, E>,
  { atWork, say }: TranscriberLawOptions
) =>
  layer(live)(`Transcriber laws: ${name}`, (it) => {
    const idle = atWork === undefined ? Effect.void : Effect.map(atWork, (count) => assert.strictEqual(count, 0))

    it.effect("is available", () => Effect.map(Transcriber, ({ available }) => assert.isTrue(available)))

    it.effect("writes down what is said, at every rate that telephones and records have", () =>
      Effect.forEach([8_000, 22_050, 48_000], (rate) =>
        Effect.gen(function*() {
          const [text] = texts
          yield* assertHeard(yield* transcribe(yield* say(text, rate)), text)
        })))

    it.effect("hears the same whether it knows the language or not, and leaves the sound as it is", () =>
      Effect.gen(function*() {
        const { transcribe } = yield* Transcriber
        const [, text] = texts
        const sound = yield* say(text, 16_000)
        const before = sound.samples.slice()
        for (const language of ["en-IN", null] as const) {
          yield* assertHeard(yield* transcribe(sound, { language }), text)
        }
        assert.isTrue(before.every((sample, at) => sample === sound.samples[at]))
      }))

    it.effect("hears nothing where nothing is said", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* transcribe({ rate: 16_000, samples: new Float32Array(16_000) })).trim(), "")
      }))

    it.effect("a sound without samples is heard as nothing, or is a failure", () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(transcribe({ rate: 16_000, samples: new Float32Array() }))
        assert.isTrue(Exit.isSuccess(exit) ? exit.value === "" : exit.cause._tag === "Fail")
      }))

    it.effect("sounds at the same time do not mix", () =>
      Effect.gen(function*() {
        const sounds = yield* Effect.forEach(texts, (text) => say(text, 16_000))
        const heard = yield* Effect.forEach(sounds, transcribe, { concurrency: "unbounded" })
        for (const [index, text] of texts.entries()) yield* assertHeard(heard[index] ?? "", text)
      }))

    it.effect("who does not wait any more ends the work", () =>
      Effect.gen(function*() {
        const sound = yield* say(texts[2], 16_000)
        const listener = yield* Effect.fork(Effect.zipRight(transcribe(sound), Effect.never))
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(listener)))
        yield* idle
      }))
  })
