import { assert, describe, it } from "@effect/vitest"
import type { Audio } from "@trunkline/audio"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, FastCheck, Schema } from "effect"
import { espeakVoices, parametersFor } from "../src/VoiceParameters.js"
import { analyzeVoice, estimatedSeconds, makeVoiceTraitsCache } from "../src/VoiceTraits.js"
import { sentences } from "./Sentences.js"
import { referenceTo, voice } from "./Speaking.js"

const noise: Audio = {
  rate: 16_000,
  samples: Float32Array.from({ length: 32_000 }, (_, at) => (at * 7_919 * (at % 101) % 1_000) / 1_000 - 0.5)
}

const tempoOf = (audio: Audio, text: string | null = null, seconds?: number) =>
  Effect.map(
    analyzeVoice(referenceTo(audio, { text, ...(seconds === undefined ? {} : { seconds }) })),
    ({ tempo }) => tempo
  )

describe("the traits of a voice", () => {
  it.effect("have its median pitch, within 2 %, and none for noise", () =>
    Effect.gen(function*() {
      for (const hertz of [80, 120, 180, 250, 300]) {
        const pitch = (yield* analyzeVoice(referenceTo(voice({ hertz })))).hertz ?? 0
        assert.closeTo(pitch, hertz, 0.02 * hertz)
      }
      assert.isNull((yield* analyzeVoice(referenceTo(noise))).hertz)
    }))

  it.effect("have its tempo by its syllables when its text is unknown", () =>
    Effect.gen(function*() {
      for (const syllables of [3, 4, 5, 6]) {
        assert.closeTo(yield* tempoOf(voice({ hertz: 120, syllables })), syllables / 5.4, 0.2 * syllables / 5.4)
      }
      assert.strictEqual(yield* tempoOf({ rate: 8_000, samples: new Float32Array(8_000) }), 1)
    }))

  it.effect("have its tempo by its text when that is known", () =>
    Effect.gen(function*() {
      const audio = voice({ hertz: 120, seconds: 4, syllables: 6 })
      const text = sentences["hi-IN"]
      const written = estimatedSeconds(text) ?? 0
      assert.closeTo(yield* tempoOf(audio, text), written / 4, 0.05)
      assert.closeTo(yield* tempoOf(audio, text, 5), written / 5, 0.05)
    }))

  it.effect("have its tempo by its syllables when the text is wrong, too short, or in another script", () =>
    Effect.gen(function*() {
      const audio = voice({ hertz: 120, seconds: 4 })
      const bySyllables = yield* tempoOf(audio)
      for (const text of ["", "हाँ", sentences["hi-IN"].repeat(5), "Это другой алфавит", "9876543210 9876543210"]) {
        assert.strictEqual(yield* tempoOf(audio, text), bySyllables, text)
      }
    }))

  it.effect("are those of espeak itself without a reference", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* makeVoiceTraitsCache().of(null), { hertz: null, tempo: 1 })
    }))

  it.effect("are cached: for a saved voice by its id, for another clip as long as it is referenced", () =>
    Effect.gen(function*() {
      const cache = makeVoiceTraitsCache()
      const low = voice({ hertz: 100, seconds: 1 })
      const high = voice({ hertz: 200, seconds: 1 })
      const traits = yield* cache.of(referenceTo(low, { voice_id: "svc-1" }))
      assert.strictEqual(yield* cache.of(referenceTo(high, { voice_id: "svc-1" })), traits)
      assert.notStrictEqual(yield* cache.of(referenceTo(high, { voice_id: "svc-2" })), traits)
      const clip = yield* cache.of(referenceTo(high))
      assert.strictEqual(yield* cache.of(referenceTo(high)), clip)
      assert.notStrictEqual(yield* cache.of(referenceTo(low)), clip)
    }))
})

describe("many new voices", () => {
  it.effect("are each analyzed once", () =>
    Effect.gen(function*() {
      const cache = makeVoiceTraitsCache()
      const voices = Array.from({ length: 5 }, (_, index) =>
        referenceTo(voice({ hertz: 100 + index, seconds: 1 }), { voice_id: `svc-${index}` }))
      const traitsList = yield* Effect.forEach([...voices, ...voices], cache.of, { concurrency: "unbounded" })
      voices.forEach((_, index) =>
        assert.strictEqual(traitsList[index], traitsList[index + 5])
      )
      assert.strictEqual(new Set(traitsList).size, 5)
    }))
})

describe("the estimated length of a text", () => {
  it("exists for every language, and for a mixture", () => {
    for (const language of LanguageCode.literals) {
      const seconds = estimatedSeconds(sentences[language]) ?? 0
      assert.isAbove(seconds, 3, language)
      assert.isBelow(seconds, 7, language)
    }
    assert.closeTo(
      estimatedSeconds(`${sentences["hi-IN"]} ${sentences["en-IN"]}`) ?? 0,
      (estimatedSeconds(sentences["hi-IN"]) ?? 0) + (estimatedSeconds(sentences["en-IN"]) ?? 0),
      1e-9
    )
  })
})

const languages = FastCheck.constantFrom(...LanguageCode.literals)

describe("the parameters of espeak", () => {
  it("have a voice for every language, and the given one for English", () => {
    assert.sameMembers(Object.keys(espeakVoices), [...LanguageCode.literals])
    assert.isTrue(Object.keys(espeakVoices).every(Schema.is(LanguageCode)))
    assert.strictEqual(parametersFor({ hertz: 100, tempo: 1 }, "od-IN", "en").voice, "or")
    assert.strictEqual(parametersFor({ hertz: 100, tempo: 1 }, "en-IN", "gmw/en-IN").voice, "gmw/en-IN")
    assert.strictEqual(parametersFor({ hertz: 200, tempo: 1 }, "en-IN", "gmw/en-IN").voice, "gmw/en-IN+f2")
  })

  it.prop(
    "are within the range of espeak, and never amplify it",
    [
      FastCheck.oneof(FastCheck.constant(null), FastCheck.double({ min: 1, max: 5_000, noNaN: true })),
      FastCheck.double({ min: 0, max: 100, noNaN: true }),
      languages
    ],
    ([hertz, tempo, language]) => {
      const { gain, pitch, voice, wordsPerMinute } = parametersFor({ hertz, tempo }, language, "en")
      assert.match(voice, /^[a-z]{2}(\+f2)?$/)
      assert.isTrue(Number.isInteger(pitch) && pitch >= 0 && pitch <= 99)
      assert.isTrue(Number.isInteger(wordsPerMinute) && wordsPerMinute >= 110 && wordsPerMinute <= 260)
      assert.isTrue(gain > 0.2 && gain <= 1)
    }
  )

  it.prop(
    "are higher for a higher voice, and faster for a faster one",
    [
      FastCheck.double({ min: 67, max: 320, noNaN: true }),
      FastCheck.double({ min: 67, max: 320, noNaN: true }),
      languages
    ],
    ([one, other, language]) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)].map((hertz) =>
        parametersFor({ hertz, tempo: hertz / 180 }, language, "en")
      )
      if (low === undefined || high === undefined) return false
      assert.isAtMost(low.wordsPerMinute, high.wordsPerMinute)
      return low.voice === high.voice ? low.pitch <= high.pitch : low.voice < high.voice
    }
  )
})
