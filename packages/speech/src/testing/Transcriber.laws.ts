import { assert, layer } from "@effect/vitest"
import type { Audio } from "@trunkline/audio"
import { comparableText } from "@trunkline/spoken-text"
import { Effect, Exit, Fiber, type Layer } from "effect"
import { characterErrorRate } from "../quality/CharacterErrorRate.js"
import { maxErrorRate } from "../quality/QualityCheck.js"
import type { SpeechFailure } from "../Synthesizer.js"
import { Transcriber } from "../Transcriber.js"

/** Options of `transcriberLaws`. */
export interface TranscriberLawOptions {
  /** Speaks an English text at a sample rate, in a way that the transcriber understands. */
  readonly say: (text: string, rate: number) => Effect.Effect<Audio, SpeechFailure>
  /** Number of transcriptions in progress, for transcribers that can report it. */
  readonly inProgress?: Effect.Effect<number>
}

const texts = [
  "Your new bill is ready now.",
  "The weather is very good today.",
  "Please confirm your address."
] as const

const transcribe = (audio: Audio) =>
  Effect.flatMap(Transcriber, ({ transcribe }) => transcribe(audio, { language: "en-IN" }))

/** Asserts that a transcript is close enough to its text. */
const assertHeard = (transcript: string, text: string) =>
  Effect.map(
    characterErrorRate(comparableText(text, "en-IN"), comparableText(transcript, "en-IN")),
    (rate) => assert.isAtMost(rate, maxErrorRate, transcript)
  )

/** Contract tests of an available `Transcriber`. */
export const transcriberLaws = <E>(
  name: string,
  live: Layer.Layer<Transcriber, E>,
  { inProgress, say }: TranscriberLawOptions
) =>
  layer(live)(`Transcriber laws: ${name}`, (it) => {
    const idle = inProgress === undefined
      ? Effect.void
      : Effect.map(inProgress, (count) => assert.strictEqual(count, 0))

    it.effect("is available", () => Effect.map(Transcriber, ({ available }) => assert.isTrue(available)))

    it.effect("transcribes speech at telephone and studio sample rates", () =>
      Effect.forEach([8_000, 22_050, 48_000], (rate) =>
        Effect.gen(function*() {
          const [text] = texts
          yield* assertHeard(yield* transcribe(yield* say(text, rate)), text)
        })))

    it.effect("transcribes with and without a known language, and does not modify the audio", () =>
      Effect.gen(function*() {
        const { transcribe } = yield* Transcriber
        const [, text] = texts
        const audio = yield* say(text, 16_000)
        const before = audio.samples.slice()
        for (const language of ["en-IN", null] as const) {
          yield* assertHeard(yield* transcribe(audio, { language }), text)
        }
        assert.isTrue(before.every((sample, at) => sample === audio.samples[at]))
      }))

    it.effect("transcribes silence to an empty text", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* transcribe({ rate: 16_000, samples: new Float32Array(16_000) })).trim(), "")
      }))

    it.effect("transcribes audio without samples to an empty text, or fails", () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(transcribe({ rate: 16_000, samples: new Float32Array() }))
        assert.isTrue(Exit.isSuccess(exit) ? exit.value === "" : exit.cause._tag === "Fail")
      }))

    it.effect("keeps concurrent transcriptions apart", () =>
      Effect.gen(function*() {
        const recordings = yield* Effect.forEach(texts, (text) => say(text, 16_000))
        const transcripts = yield* Effect.forEach(recordings, transcribe, { concurrency: "unbounded" })
        for (const [index, text] of texts.entries()) yield* assertHeard(transcripts[index] ?? "", text)
      }))

    it.effect("stops the work when the caller is interrupted", () =>
      Effect.gen(function*() {
        const audio = yield* say(texts[2], 16_000)
        const listener = yield* Effect.fork(Effect.zipRight(transcribe(audio), Effect.never))
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(listener)))
        yield* idle
      }))
  })
