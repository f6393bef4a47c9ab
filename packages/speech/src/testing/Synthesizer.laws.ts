import { assert, layer } from "@effect/vitest"
import { type Audio, concatSamples } from "@trunkline/audio"
import { type LanguageCode, LanguageCode as Languages } from "@trunkline/spoken-text"
import { Chunk, Deferred, Effect, Exit, Fiber, type Layer, Stream } from "effect"
import { audioFaults } from "../quality/TakeQuality.js"
import { type Reference, type SynthesisInput, Synthesizer } from "../Synthesizer.js"
import { sampleReference, sampleTexts } from "./Samples.js"

/** Options of `synthesizerLaws`. */
export interface SynthesizerLawOptions {
  /** The reference clip. Default: six seconds of vowels. */
  readonly reference?: Reference
  /** True when equal utterances give equal samples. Default: true. */
  readonly deterministic?: boolean
  /** Number of utterances in progress, for engines that can report it. */
  readonly inProgress?: Effect.Effect<number>
}

const speak = (utterance: SynthesisInput) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak(utterance))
    return { rate: ability.nativeRate, samples: concatSamples(Chunk.toReadonlyArray(pieces)) }
  })

const countLetters = (text: string): number => text.match(/[\p{L}\p{M}]/gu)?.length ?? 0

/** Asserts that samples are in range, and that duration and level fit the text. */
const assertSpeech = (audio: Audio, text: string, pace = 1): void => {
  assert.isTrue(audio.samples.every((sample) => Math.abs(sample) <= 1), "samples are from -1 to 1")
  assert.deepStrictEqual(audioFaults(audio, { letters: countLetters(text), pace }), [])
}

/** Contract tests of `Synthesizer`, in every language that the engine declares. */
export const synthesizerLaws = <E>(
  name: string,
  live: Layer.Layer<Synthesizer, E>,
  { inProgress, deterministic = true, reference = sampleReference }: SynthesizerLawOptions = {}
) =>
  layer(live)(`Synthesizer laws: ${name}`, (it) => {
    const firstLanguage = Effect.map(Synthesizer, ({ ability }) => ability.languages[0] ?? "en-IN")
    const utterance = (text: string, language: LanguageCode, change: Partial<SynthesisInput> = {}): SynthesisInput => ({
      text,
      language,
      pace: 1,
      reference,
      take: 0,
      ...change
    })
    const sample = (language: LanguageCode, change: Partial<SynthesisInput> = {}) =>
      utterance(sampleTexts[language], language, change)
    const idle = inProgress === undefined
      ? Effect.void
      : Effect.map(inProgress, (count) => assert.strictEqual(count, 0))

    it.effect("declares a name, known languages, and a sample rate from 8 to 48 kHz", () =>
      Effect.map(Synthesizer, ({ ability: { engine, languages, nativeRate } }) => {
        assert.notStrictEqual(engine, "")
        assert.isNotEmpty(languages)
        assert.strictEqual(new Set(languages).size, languages.length)
        assert.isTrue(languages.every((language) => Languages.literals.includes(language)))
        assert.isTrue(Number.isInteger(nativeRate) && nativeRate >= 8_000 && nativeRate <= 48_000)
      }))

    it.effect("speaks every declared language with a plausible duration and level", () =>
      Effect.gen(function*() {
        const { ability } = yield* Synthesizer
        for (const language of ability.languages) assertSpeech(yield* speak(sample(language)), sampleTexts[language])
      }))

    it.effect("takes longer for a longer text", () =>
      Effect.gen(function*() {
        const language = yield* firstLanguage
        const text = Array.from({ length: 8 }, () => sampleTexts[language]).join(" ")
        const [short, long] = [yield* speak(sample(language)), yield* speak(utterance(text, language))]
        assertSpeech(long, text)
        assert.isAbove(long.samples.length, 4 * short.samples.length)
      }))

    it.effect("ends for a text without anything to pronounce", () =>
      Effect.gen(function*() {
        const language = yield* firstLanguage
        for (const text of ["?!", "…", "—", "👍", "\u200d"]) {
          const exit = yield* Effect.exit(speak(utterance(text, language)))
          assert.isTrue(Exit.isSuccess(exit) || exit.cause._tag === "Fail")
        }
        assertSpeech(yield* speak(sample(language)), sampleTexts[language])
      }))

    it.effect("repeats an utterance, and speaks a second take", () =>
      Effect.gen(function*() {
        const language = yield* firstLanguage
        const [first, second] = [yield* speak(sample(language)), yield* speak(sample(language))]
        if (deterministic) assert.isTrue(first.samples.every((sample, at) => sample === second.samples[at]))
        assert.isNotEmpty(second.samples)
        assertSpeech(yield* speak(sample(language, { take: 1 })), sampleTexts[language])
      }))

    it.effect("accepts a reference with and without transcript, language and voice id", () =>
      Effect.gen(function*() {
        const language = yield* firstLanguage
        const voiceReference: Reference = { ...reference, text: "aa aa aa", language: "en-IN", voice_id: "svc-known" }
        const unknown: Reference = { ...reference, text: null, language: null, voice_id: null }
        for (const clip of [voiceReference, unknown]) {
          assertSpeech(yield* speak(sample(language, { reference: clip })), sampleTexts[language])
        }
      }))

    it.effect("speaks in its own voice without a reference", () =>
      Effect.gen(function*() {
        const language = yield* firstLanguage
        assertSpeech(yield* speak(sample(language, { reference: null })), sampleTexts[language])
      }))

    it.effect("keeps concurrent utterances apart", () =>
      Effect.gen(function*() {
        const { ability } = yield* Synthesizer
        const language = yield* firstLanguage
        const several = [1, 2, 3].map((times) => utterance(sampleTexts[language].repeat(times), language))
        const together = yield* Effect.forEach(several, speak, { concurrency: "unbounded" })
        together.forEach((audio, index) => assertSpeech(audio, several[index]?.text ?? ""))
        if (!deterministic) return
        const alone = yield* Effect.forEach(several, speak)
        assert.deepStrictEqual(
          together.map(({ samples }) => samples.length),
          alone.map(({ samples }) => samples.length)
        )
        assert.strictEqual(together[0]?.rate, ability.nativeRate)
      }))

    it.effect("stops the work when the reader stops early or is interrupted", () =>
      Effect.gen(function*() {
        const { speak } = yield* Synthesizer
        const language = yield* firstLanguage
        const audio = speak(utterance(sampleTexts[language].repeat(8), language))
        assert.strictEqual(Chunk.size(yield* Stream.runCollect(Stream.take(audio, 1))), 1)
        yield* idle
        const startSignal = yield* Deferred.make<void>()
        const listening = Stream.runForEach(
          audio,
          () => Effect.zipRight(Deferred.succeed(startSignal, undefined), Effect.never)
        )
        const listener = yield* Effect.fork(listening)
        yield* Deferred.await(startSignal)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(listener)))
        yield* idle
        const early = yield* Effect.fork(Stream.runDrain(audio))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(early)
        yield* idle
      }))

    it.effect("follows the requested pace when it declares that control", () =>
      Effect.gen(function*() {
        const { ability } = yield* Synthesizer
        if (!ability.controls.includes("pace")) return
        const language = yield* firstLanguage
        const text = sampleTexts[language].repeat(3)
        const natural = yield* speak(utterance(text, language))
        for (const pace of [0.5, 2]) {
          const speech = yield* speak(utterance(text, language, { pace }))
          assertSpeech(speech, text, pace)
          assert.approximately(speech.samples.length * pace / natural.samples.length, 1, 0.25)
        }
      }))
  })
