import { assert, describe, it } from "@effect/vitest"
import { type Audio, concatSamples } from "@trunkline/audio"
import { ModelTimedOut } from "@trunkline/errors"
import {
  type ExpectedSpeech,
  isBetter,
  type ModemFault,
  modemTranscriber,
  QualityCheck,
  type TakeFault,
  type TakeQuality,
  Transcriber
} from "@trunkline/speech"
import { sampleTexts } from "@trunkline/speech/testing"
import { LanguageCode, TextNormalizer } from "@trunkline/spoken-text"
import { Effect, Layer, Logger } from "effect"
import { spokenBy } from "../modem/ModemSpeech.js"

const expected = (text: string, change: Partial<ExpectedSpeech> = {}): ExpectedSpeech => ({
  clauses: [text],
  language: "en-IN",
  ...change
})

const english = sampleTexts["en-IN"]

/** Normalizer that knows one number. */
const normalizer = Layer.succeed(TextNormalizer, { normalize: (text) => text.replaceAll("25", "twenty-five") })

const check = <E>(transcriber: Layer.Layer<Transcriber, E>) =>
  QualityCheck.layer.pipe(Layer.provide(transcriber), Layer.provide(normalizer))

const listening = check(modemTranscriber)

const withoutTranscriber = check(Transcriber.layerNone)

const judge = (audio: Audio, what: ExpectedSpeech) => Effect.flatMap(QualityCheck, ({ judge }) => judge(audio, what))

const faultsOf = (audio: Audio, what: ExpectedSpeech) => Effect.map(judge(audio, what), ({ faults }) => faults)

/** Index of the take that is kept, and the number of takes, for takes with the given faults. */
const countTakes = (...faults: ReadonlyArray<ModemFault>) =>
  Effect.gen(function*() {
    const { bestTake } = yield* QualityCheck
    const takes: Array<Audio> = []
    const takeOf = (take: number) =>
      Effect.tap(
        spokenBy({ fault: (utterance) => faults[utterance.take] })(english, { take }),
        (audio) => Effect.sync(() => takes.push(audio))
      )
    const best = yield* bestTake(takeOf, expected(english))
    return [takes.indexOf(best), takes.length]
  })

const louder = ({ rate, samples }: Audio, gain: number): Audio => ({
  rate,
  samples: samples.map((sample) => Math.max(-1, Math.min(1, sample * gain)))
})

describe("the quality check", () => {
  it.effect("passes correct speech in every language, with and without a transcriber", () =>
    Effect.forEach(LanguageCode.literals, (language) =>
      Effect.gen(function*() {
        const text = sampleTexts[language]
        const audio = yield* spokenBy()(text)
        const what = expected(text, { language })
        assert.deepStrictEqual(yield* Effect.provide(judge(audio, what), listening), { faults: [], errorRate: 0 })
        assert.deepStrictEqual(yield* Effect.provide(judge(audio, what), withoutTranscriber), {
          faults: [],
          errorRate: null
        })
      })))

  it.effect("passes up to a quarter of wrong characters", () =>
    Effect.gen(function*() {
      const what = expected("abcdefgh")
      const judgeText = (text: string) => Effect.flatMap(spokenBy()(text), (audio) => judge(audio, what))
      assert.deepStrictEqual(yield* judgeText("abcdefXY"), { faults: [], errorRate: 0.25 })
      assert.deepStrictEqual(yield* judgeText("abcdeXYZ"), { faults: ["misread"], errorRate: 0.375 })
      assert.deepStrictEqual(yield* judgeText("?"), { faults: ["misread"], errorRate: 1 })
    }).pipe(Effect.provide(listening)))

  it.effect("compares normalized texts", () =>
    Effect.gen(function*() {
      const audio = yield* spokenBy()("PLATFORM, Twenty-five!")
      assert.deepStrictEqual(yield* judge(audio, expected("Platform 25")), { faults: [], errorRate: 0 })
    }).pipe(Effect.provide(listening)))

  it.effect("judges several clauses as one text", () =>
    Effect.gen(function*() {
      const clauses = ["One,", "two", "and three."]
      const recordings = yield* Effect.forEach(clauses, (clause) => spokenBy()(clause))
      const audio = { rate: 24_000, samples: concatSamples(recordings.map(({ samples }) => samples)) }
      assert.deepStrictEqual(yield* judge(audio, expected("", { clauses })), { faults: [], errorRate: 0 })
    }).pipe(Effect.provide(listening)))

  it.effect("detects faults from the audio alone", () =>
    Effect.gen(function*() {
      const audio = yield* spokenBy()(english)
      const empty: Audio = { rate: 24_000, samples: new Float32Array(48_000) }
      const mostlyEmpty = {
        rate: 24_000,
        samples: concatSamples([audio.samples.slice(0, 12_000), empty.samples, empty.samples])
      }
      const cases: ReadonlyArray<readonly [Audio, ReadonlyArray<TakeFault>, Partial<ExpectedSpeech>?]> = [
        [{ ...audio, samples: audio.samples.slice(0, 12_000) }, ["too_short"]],
        [{ ...audio, samples: concatSamples(Array.from({ length: 5 }, () => audio.samples)) }, ["too_long"]],
        [louder(audio, 20), ["clipped"]],
        [louder(audio, 0.05), ["silent"]],
        [empty, ["silent"]],
        [mostlyEmpty, ["silent"]],
        [{ rate: 24_000, samples: new Float32Array() }, ["too_short", "silent"]],
        [audio, ["too_long"], { clauses: ["a"] }],
        [audio, ["too_short"], { clauses: [english.repeat(5)] }],
        [audio, [], { clauses: [english.repeat(5)], pace: 2 }],
        [audio, [], { pace: 0.5 }]
      ]
      for (const [bad, faults, change] of cases) {
        assert.deepStrictEqual(yield* faultsOf(bad, expected(english, change)), faults)
      }
    }).pipe(Effect.provide(withoutTranscriber)))

  it.effect("keeps a good first take", () =>
    Effect.map(countTakes(), (best) => assert.deepStrictEqual(best, [0, 1])).pipe(Effect.provide(listening)))

  it.effect("speaks a bad take once more, and keeps the better one", () =>
    Effect.gen(function*() {
      const wrong = { text: "Something else that nobody wants." }
      const nearly = { text: "Your new bXll XX XXXdy Xow." }
      assert.deepStrictEqual(yield* countTakes(wrong), [1, 2])
      assert.deepStrictEqual(yield* countTakes({ after: 0.8 }), [1, 2])
      assert.deepStrictEqual(yield* countTakes({ clipped: true }), [1, 2])
      assert.deepStrictEqual(yield* countTakes(wrong, nearly), [1, 2])
      assert.deepStrictEqual(yield* countTakes(nearly, wrong), [0, 2])
      assert.deepStrictEqual(yield* countTakes(wrong, wrong), [0, 2])
      assert.deepStrictEqual(yield* countTakes({ ...wrong, clipped: true }, wrong), [1, 2])
    }).pipe(Effect.provide(listening)))

  it.effect("keeps the first take when the second fails, and fails when the first fails", () =>
    Effect.gen(function*() {
      const { bestTake } = yield* QualityCheck
      const wrong = yield* spokenBy()("wrong")
      const failsAt = (failing: number) => (take: number) =>
        take === failing ? Effect.fail("no breath") : Effect.succeed(wrong)
      assert.strictEqual(yield* bestTake(failsAt(1), expected(english)), wrong)
      assert.strictEqual(yield* Effect.flip(bestTake(failsAt(0), expected(english))), "no breath")
    }).pipe(Effect.provide(listening)))

  it.effect("logs a warning without any text when the transcriber fails, and judges the audio", () =>
    Effect.gen(function*() {
      const failure = new ModelTimedOut({ message: `Took too long for: ${english}` })
      const logged: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => logged.push(`${logLevel.label} ${JSON.stringify(message)}`))
      const verdict = yield* spokenBy()(english).pipe(
        Effect.flatMap((audio) => judge(audio, expected(english))),
        Effect.provide([
          check(Layer.succeed(Transcriber, { available: true, transcribe: () => failure })),
          Logger.replace(Logger.defaultLogger, logger)
        ])
      )
      assert.deepStrictEqual(verdict, { faults: [], errorRate: null })
      assert.strictEqual(logged.length, 1)
      assert.match(logged[0] ?? "", /^WARN .*ModelTimedOut/)
      assert.notInclude(logged[0], "bill")
    }))

  it("ranks takes by faults, then by error rate", () => {
    const verdicts: ReadonlyArray<TakeQuality> = [
      { faults: [], errorRate: 0 },
      { faults: [], errorRate: 0.2 },
      { faults: ["misread"], errorRate: 0.3 },
      { faults: ["misread"], errorRate: 0.9 },
      { faults: ["silent", "misread"], errorRate: 0.3 }
    ]
    verdicts.forEach((better, place) => {
      verdicts.forEach((worse, other) => assert.strictEqual(isBetter(better, worse), place < other))
    })
    assert.isFalse(isBetter({ faults: ["clipped"], errorRate: null }, { faults: ["misread"], errorRate: 1 }))
  })
})
