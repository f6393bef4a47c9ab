import { assert, layer } from "@effect/vitest"
import { joined, type Sound } from "@trunkline/audio"
import { type LanguageCode, LanguageCode as Languages } from "@trunkline/spoken-text"
import { Chunk, Deferred, Effect, Exit, Fiber, type Layer, Stream } from "effect"
import { type Reference, Synthesizer, type Utterance } from "../ports/Synthesizer.js"
import { soundFaults } from "../quality/SoundFaults.js"
import { sampleReference } from "./SampleReference.js"
import { sampleTexts } from "./SampleTexts.js"

/** What the laws must know of a speech engine. */
export interface SynthesizerLawOptions {
  /** The clip to speak like; six seconds of vowels unless told. */
  readonly reference?: Reference
  /** Whether the same utterance always is the same sound; true unless told. */
  readonly deterministic?: boolean
  /** How many utterances are being worked on, for engines that can tell. */
  readonly atWork?: Effect.Effect<number>
}

const speak = (utterance: Utterance) =>
  Effect.gen(function*() {
    const { ability, speak } = yield* Synthesizer
    const pieces = yield* Stream.runCollect(speak(utterance))
    return { rate: ability.nativeRate, samples: joined(Chunk.toReadonlyArray(pieces)) }
  })

const lettersOf = (text: string): number => text.match(/[\p{L}\p{M}]/gu)?.length ?? 0

/** Whatever an engine gives must be sound, and what it gives for words as long and as loud as speech. */
const assertSpeech = (sound: Sound, text: string, pace = 1): void => {
  assert.isTrue(sound.samples.every((sample) => Math.abs(sample) <= 1), "samples are from -1 to 1")
  assert.deepStrictEqual(soundFaults(sound, { letters: lettersOf(text), pace }), [])
}

/** The laws of `Synthesizer`. Every language that an engine declares is spoken. */
export const synthesizerLaws = <E>(
  name: string,
  live: Layer.Layer<Synthesizer, E>,
  { atWork, deterministic = true, reference = sampleReference }: SynthesizerLawOptions = {}
) =>
  layer(live)(`Synthesizer laws: ${name}`, (it) => {
    /** A language that the engine speaks. */
    const spoken = Effect.map(Synthesizer, ({ ability }) => ability.languages[0] ?? "en-IN")
    const utterance = (text: string, language: LanguageCode, change: Partial<Utterance> = {}): Utterance => ({
      text,
      language,
      pace: 1,
      reference,
      take: 0,
      ...change
    })
    const sample = (language: LanguageCode, change: Partial<Utterance> = {}) =>
      utterance(sampleTexts[language], language, change)
    const idle = atWork === undefined ? Effect.void : Effect.map(atWork, (count) => assert.strictEqual(count, 0))

    it.effect("declares a name, languages of the specification, and a rate that telephones and records have", () =>
      Effect.map(Synthesizer, ({ ability: { engine, languages, nativeRate } }) => {
        assert.notStrictEqual(engine, "")
        assert.isNotEmpty(languages)
        assert.strictEqual(new Set(languages).size, languages.length)
        assert.isTrue(languages.every((language) => Languages.literals.includes(language)))
        assert.isTrue(Number.isInteger(nativeRate) && nativeRate >= 8_000 && nativeRate <= 48_000)
      }))

    it.effect("speaks every language that it declares, as long and as loud as speech is", () =>
      Effect.gen(function*() {
        const { ability } = yield* Synthesizer
        for (const language of ability.languages) assertSpeech(yield* speak(sample(language)), sampleTexts[language])
      }))

    it.effect("more words take longer", () =>
      Effect.gen(function*() {
        const language = yield* spoken
        const text = Array.from({ length: 8 }, () => sampleTexts[language]).join(" ")
        const [short, long] = [yield* speak(sample(language)), yield* speak(utterance(text, language))]
        assertSpeech(long, text)
        assert.isAbove(long.samples.length, 4 * short.samples.length)
      }))

    it.effect("comes to an end where there is nothing to pronounce, with or without sound", () =>
      Effect.gen(function*() {
        const language = yield* spoken
        for (const text of ["?!", "…", "—", "👍", "\u200d"]) {
          const exit = yield* Effect.exit(speak(utterance(text, language)))
          assert.isTrue(Exit.isSuccess(exit) || exit.cause._tag === "Fail")
        }
        assertSpeech(yield* speak(sample(language)), sampleTexts[language])
      }))

    it.effect("says the same twice, and once more for the second take", () =>
      Effect.gen(function*() {
        const language = yield* spoken
        const [first, second] = [yield* speak(sample(language)), yield* speak(sample(language))]
        if (deterministic) assert.isTrue(first.samples.every((sample, at) => sample === second.samples[at]))
        assert.isNotEmpty(second.samples)
        assertSpeech(yield* speak(sample(language, { take: 1 })), sampleTexts[language])
      }))

    it.effect("takes a clip whose words, language and voice are known as well as one of which nothing is", () =>
      Effect.gen(function*() {
        const language = yield* spoken
        const known: Reference = { ...reference, text: "aa aa aa", language: "en-IN", voice_id: "svc-known" }
        const unknown: Reference = { ...reference, text: null, language: null, voice_id: null }
        for (const clip of [known, unknown]) {
          assertSpeech(yield* speak(sample(language, { reference: clip })), sampleTexts[language])
        }
      }))

    it.effect("utterances at the same time do not mix", () =>
      Effect.gen(function*() {
        const { ability } = yield* Synthesizer
        const language = yield* spoken
        const several = [1, 2, 3].map((times) => utterance(sampleTexts[language].repeat(times), language))
        const together = yield* Effect.forEach(several, speak, { concurrency: "unbounded" })
        together.forEach((sound, index) => assertSpeech(sound, several[index]?.text ?? ""))
        if (!deterministic) return
        const alone = yield* Effect.forEach(several, speak)
        assert.deepStrictEqual(
          together.map(({ samples }) => samples.length),
          alone.map(({ samples }) => samples.length)
        )
        assert.strictEqual(together[0]?.rate, ability.nativeRate)
      }))

    it.effect("who needs only the beginning can leave, and so can who does not wait at all", () =>
      Effect.gen(function*() {
        const { speak } = yield* Synthesizer
        const language = yield* spoken
        const sound = speak(utterance(sampleTexts[language].repeat(8), language))
        assert.strictEqual(Chunk.size(yield* Stream.runCollect(Stream.take(sound, 1))), 1)
        yield* idle
        const begun = yield* Deferred.make<void>()
        const listening = Stream.runForEach(
          sound,
          () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
        )
        const listener = yield* Effect.fork(listening)
        yield* Deferred.await(begun)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(listener)))
        yield* idle
        const early = yield* Effect.fork(Stream.runDrain(sound))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(early)
        yield* idle
      }))

    it.effect("changes its pace where it says that it can, and is as fast or slow as asked for", () =>
      Effect.gen(function*() {
        const { ability } = yield* Synthesizer
        if (!ability.controls.includes("pace")) return
        const language = yield* spoken
        const text = sampleTexts[language].repeat(3)
        const natural = yield* speak(utterance(text, language))
        for (const pace of [0.5, 2]) {
          const changed = yield* speak(utterance(text, language, { pace }))
          assertSpeech(changed, text, pace)
          assert.approximately(changed.samples.length * pace / natural.samples.length, 1, 0.25)
        }
      }))
  })
