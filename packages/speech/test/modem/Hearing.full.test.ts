import { assert, describe, it } from "@effect/vitest"
import {
  alaw,
  type Audio,
  type AudioProcessor,
  concatSamples,
  makeResampler,
  makeStretcher,
  mulaw,
  speechSpans,
  trimSilence
} from "@trunkline/audio"
import { propertyRuns } from "@trunkline/kernel/testing"
import { sampleTexts } from "@trunkline/speech/testing"
import { Effect, FastCheck, Random } from "effect"
import { hasFfmpeg, through } from "./Ffmpeg.js"
import { noise, sentences, spokenBy, transcriptOf } from "./ModemSpeech.js"

const rates = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const

/** Some of them, where every one would take long. */
const some = sentences.filter((_, index) => index % 4 === 1)

const spoken = spokenBy()

const atRate = (nativeRate: number) => spokenBy({ nativeRate })

const processed = (samples: Float32Array, { end, push }: AudioProcessor) => concatSamples([push(samples), end()])

const changed = ({ rate, samples }: Audio, change: (samples: Float32Array) => Float32Array): Audio => ({
  rate,
  samples: change(samples)
})

const silence = (rate: number, seconds: number) => new Float32Array(Math.round(rate * seconds))

/** Sounds one after the other, with some seconds of silence between them. */
const inARow = (recordings: ReadonlyArray<Audio>, seconds: number): Audio => {
  const rate = recordings[0]?.rate ?? 8_000
  return { rate, samples: concatSamples(recordings.flatMap(({ samples }) => [samples, silence(rate, seconds)])) }
}

/** Sentences must be heard as they are, after what happens to their audio. */
const allHeard = <E>(
  happens: (audio: Audio) => Audio | Effect.Effect<Audio, E>,
  { texts = some, speak = spoken }: { readonly speak?: typeof spoken; readonly texts?: ReadonlyArray<string> } = {}
) =>
  Effect.forEach(texts, (sentence) =>
    Effect.gen(function*() {
      const audio = happens(yield* speak(sentence))
      assert.strictEqual(yield* transcriptOf(Effect.isEffect(audio) ? yield* audio : audio), sentence)
    }))

describe("decoding the modem voice", () => {
  it.effect.prop(
    "returns every text exactly, at any volume and position",
    [
      FastCheck.string({ unit: "binary", maxLength: 60 }),
      FastCheck.constantFrom(...rates),
      FastCheck.double({ min: 0.1, max: 1, noNaN: true }),
      FastCheck.double({ min: 0, max: 1, noNaN: true })
    ],
    ([text, rate, gain, seconds]) =>
      Effect.gen(function*() {
        const { samples } = yield* atRate(rate)(text)
        const soft = samples.map((sample) => sample * gain)
        assert.strictEqual(yield* transcriptOf({ rate, samples: concatSamples([silence(rate, seconds), soft]) }), text)
      }),
    { fastCheck: { numRuns: propertyRuns(30) } }
  )

  it.effect("works through μ-law and A-law", () =>
    Effect.forEach(
      [mulaw, alaw],
      ({ decode, encode }) =>
        allHeard((audio) => changed(audio, (samples) => decode(encode(samples))), {
          texts: sentences,
          speak: atRate(8_000)
        })
    ))

  it.effect("works after resampling between all rates", () =>
    Effect.forEach(
      rates,
      (from) =>
        Effect.forEach(rates.filter((rate) => rate !== from), (to) =>
          Effect.gen(function*() {
            const sentence = sampleTexts["en-IN"]
            const { samples } = yield* atRate(from)(sentence)
            assert.strictEqual(
              yield* transcriptOf({ rate: to, samples: processed(samples, makeResampler({ from, to })) }),
              sentence
            )
          }))
    ))

  it.effect("works at every pace from half to double, stretched or generated", () =>
    Effect.forEach([0.5, 0.8, 1.1, 1.5, 2], (pace) =>
      Effect.gen(function*() {
        const stretched = ({ rate, samples }: Audio) => processed(samples, makeStretcher({ rate, factor: 1 / pace }))
        yield* allHeard((audio) => ({ ...audio, samples: stretched(audio) }))
        const speak: typeof spoken = (text) => spokenBy({ controls: ["pace"] })(text, { pace })
        yield* allHeard((audio) => audio, { speak })
      })))

  it.effect("works in noise at half the volume", () =>
    allHeard((audio) =>
      Effect.map(
        noise(audio.samples.length, 6),
        (hiss) => changed(audio, (samples) => samples.map((sample, at) => sample + (hiss[at] ?? 0)))
      )
    ).pipe(Effect.withRandom(Random.make("noise"))))

  it.effect("joins clauses with a space, with or without a pause", () =>
    Effect.gen(function*() {
      const clauses = yield* Effect.forEach(["One,", "two", "", "and तीन।"], (text) => spoken(text))
      for (const pause of [0, 0.001, 0.03, 0.5]) {
        assert.strictEqual(yield* transcriptOf(inARow(clauses, pause)), "One, two and तीन।")
      }
    }))

  it.effect("is speech throughout by energy, so trimming silence keeps all of it", () =>
    Effect.gen(function*() {
      const audio = yield* spoken(sampleTexts["hi-IN"])
      assert.deepStrictEqual(speechSpans(audio), [{ from: 0, to: audio.samples.length }])
      const { rate, samples } = audio
      const padded = { rate, samples: concatSamples([silence(rate, 1), samples, silence(rate, 1)]) }
      assert.strictEqual(yield* transcriptOf(trimSilence(padded, { margin: 0 })), sampleTexts["hi-IN"])
    }))

  it.effect("loses nothing when 30 ms are trimmed at both ends", () =>
    allHeard(({ rate, samples }) => {
      const cut = Math.round(0.03 * rate)
      return { rate, samples: samples.subarray(cut, samples.length - cut) }
    }))

  it.effect("decodes a truncated utterance up to its end, and the next one", () =>
    Effect.gen(function*() {
      const text = "A sentence that has more than sixteen letters."
      const audio = yield* spoken(text)
      for (const share of [0.3, 0.5, 0.9]) {
        const part = changed(audio, (samples) => samples.subarray(0, share * samples.length))
        const transcript = yield* transcriptOf(part)
        assert.isTrue(text.startsWith(transcript))
        assert.approximately(transcript.length, share * text.length, 4)
        const both = yield* transcriptOf(inARow([part, yield* spoken("Then this.")], 0.2))
        assert.isTrue(both.startsWith(transcript.slice(0, 16 * Math.floor(transcript.length / 16))), both)
        assert.isTrue(both.endsWith(" Then this."), both)
      }
    }))

  it.effect("skips an utterance without its beginning, and decodes the next one", () =>
    Effect.gen(function*() {
      const headless = changed(yield* spoken("Not heard."), (samples) => samples.subarray(samples.length / 2))
      assert.strictEqual(yield* transcriptOf(inARow([headless, yield* spoken("Heard.")], 0)), "Heard.")
    }))

  it.effect("loses only the letters of missing audio", () =>
    Effect.gen(function*() {
      const holed = changed(yield* spoken("abcdefghijklmnopqrstuvwxyz"), (samples) => samples.fill(0, 15_000, 17_000))
      assert.match(yield* transcriptOf(holed), /^abcde[a-i]*[g-m]*nopqrstuvwxyz$/)
      assert.isBelow((yield* transcriptOf(holed)).length, 26)
    }))

  it.effect("decodes other audio as silence", () =>
    Effect.gen(function*() {
      const rate = 24_000
      const sweep = Float32Array.from({ length: 2 * rate }, (_, at) => Math.sin(at * at / 2e4))
      const hiss = yield* noise(rate, 0)
      for (const samples of [new Float32Array(), new Float32Array(10), silence(rate, 1), hiss, sweep]) {
        assert.strictEqual(yield* transcriptOf({ rate, samples }), "")
      }
    }).pipe(Effect.withRandom(Random.make("hiss"))))

  it.effect("decodes a thousand Tamil letters", () =>
    Effect.gen(function*() {
      const text = sampleTexts["ta-IN"].repeat(30).slice(0, 1_000)
      const audio = yield* spoken(text)
      assert.approximately(audio.samples.length / audio.rate, 64, 1)
      assert.strictEqual(yield* transcriptOf(audio), text)
    }))

  it.effect.skipIf(!hasFfmpeg)("works through all codecs (needs ffmpeg)", () =>
    Effect.forEach(
      [
        ["mp3", ["-b:a", "64k"]],
        ["mp3", ["-ar", "8000", "-b:a", "32k"]],
        ["flac", []],
        ["ogg", ["-c:a", "libopus"]],
        ["ogg", ["-c:a", "libopus", "-ar", "8000", "-b:a", "16k"]],
        ["adts", ["-c:a", "aac"]],
        ["adts", ["-c:a", "aac", "-b:a", "32k"]]
      ] as const,
      ([format, parameters]) =>
        Effect.gen(function*() {
          const parts = yield* Effect.forEach(some, (sentence) => spoken(sentence))
          const coded = through(inARow(parts, 0.1), format, parameters)
          assert.strictEqual(yield* transcriptOf(coded), some.join(" "), `${format} ${parameters.join(" ")}`)
        })
    ))
})
