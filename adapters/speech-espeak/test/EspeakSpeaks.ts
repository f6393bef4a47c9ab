import { assert, layer } from "@effect/vitest"
import { concatSamples, durationOf, levelsOf, medianPitch, speechSpans, syllableRate } from "@trunkline/audio"
import { Synthesizer } from "@trunkline/speech"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Fiber, type Layer, Option, Stream } from "effect"
import { sentences } from "./Sentences.js"
import { referenceTo, saying, spoken, voice } from "./Speaking.js"

/** All sentences of a language by a voice of some pitch and tempo. */
const sentencesBy = (language: LanguageCode, of: Parameters<typeof voice>[0]) =>
  saying(sentences[language], { language, reference: referenceTo(voice(of)) })

/** Tests of an installed espeak in any form. */
export const espeakSpeaks = (name: string, live: Layer.Layer<Synthesizer>) =>
  layer(live)(`espeak speaks: ${name}`, (it) => {
    for (const language of LanguageCode.literals) {
      it.effect(`${language}: with plausible length and loudness, without clipping`, () =>
        Effect.gen(function*() {
          const audio = yield* spoken(sentencesBy(language, { hertz: 120 }))
          const { clippedShare, gatedRms, peak } = levelsOf(audio)
          assert.isAbove(durationOf(audio), 3)
          assert.isBelow(durationOf(audio), 9)
          assert.closeTo(gatedRms, -21.5, 2.5)
          assert.isBelow(peak, 0.9)
          assert.strictEqual(clippedShare, 0)
        }))
    }

    it.effect("at the pitch of the voice, within 8 % from 80 to 300 Hz, in every language", () =>
      Effect.gen(function*() {
        for (const [index, hertz] of [80, 100, 125, 145, 155, 190, 240, 300].entries()) {
          const [one, other] = LanguageCode.literals.filter((_, at) => at % 6 === index % 6)
          for (const language of [one, other]) {
            if (language === undefined) continue
            const audio = yield* spoken(sentencesBy(language, { hertz }))
            assert.closeTo(medianPitch(audio) ?? 0, hertz, 0.08 * hertz, `${language} ${hertz}`)
          }
        }
      }))

    it.effect("at the tempo of the voice, within 20 %", () =>
      Effect.gen(function*() {
        for (const syllables of [3.5, 4.5, 5.5]) {
          const rate = syllableRate(yield* spoken(sentencesBy("hi-IN", { hertz: 120, syllables }))) ?? 0
          assert.closeTo(rate, syllables, 0.2 * syllables)
        }
      }))

    it.effect("words of other scripts and other languages", () =>
      Effect.gen(function*() {
        const seconds = (text: string) => Effect.map(spoken(saying(text)), durationOf)
        const alone = yield* seconds("मैं कल जाऊँगा।")
        assert.isAbove(yield* seconds("मैं कल office meeting जाऊँगा।"), alone + 0.4)
        for (const word of ["ନମସ୍କାର", "నమస్కారం", "வணக்கம்", "নমস্কার", "ನಮಸ್ಕಾರ", "ਨਮਸਕਾਰ", "നമസ്കാരം", "નમસ્તે"]) {
          const longer = (yield* seconds(`मैं ${word} कल जाऊँगा।`)) - alone
          assert.isAbove(longer, 0.2, word)
          assert.isBelow(longer, 1.5, `${word} is read, not spelled`)
        }
      }))

    it.effect("plain text only: no markup and no phonemes", () =>
      Effect.gen(function*() {
        const samples = (text: string) =>
          Effect.map(spoken(saying(text, { language: "en-IN" })), (audio) => audio.samples.length)
        const plain = yield* samples("one two three")
        for (
          const text of [
            "one <break time=\"9s\"/> two <audio src=\"/etc/passwd\"/> three",
            "[[]] one \u0000two\uD800 three 👍",
            "<speak>one two <prosody rate='slow'>three</prosody></speak>"
          ]
        ) {
          assert.closeTo(yield* samples(text), plain, 0.05 * plain, text)
        }
        assert.isAbove(yield* samples("[[h@l'oU]]"), 1.5 * (yield* samples("hello")), "phonemes are read as letters")
        assert.isBelow(yield* samples("&lt;break time=9s/&gt;"), 6 * 22_050)
      }))

    it.effect("any text, or fails when nothing of it is audible", () =>
      Effect.gen(function*() {
        for (
          const text of [
            "-v de --version",
            "; rm -rf / `id` $(id) | cat",
            "%s%n%x \\x00 \\u0000",
            "a".repeat(1_000),
            "क".repeat(500),
            "१२३ ١٢٣ مرحبا 中国 Привет",
            "\u202Eabc\u2066def",
            "ʰ ͡ ᵊ",
            "ᠮᠣᠩᠭᠣᠯ 𐍈"
          ]
        ) {
          const failure = Option.getOrNull(yield* Effect.option(Effect.flip(spoken(saying(text)))))
          assert.include([undefined, "ModelFailed"], failure?._tag, text)
        }
      }))

    it.effect("all of a text that is longer than the read-ahead", () =>
      Effect.gen(function*() {
        const text = sentences["hi-IN"]
        const once = durationOf(yield* spoken(saying(text)))
        assert.closeTo(durationOf(yield* spoken(saying(`${text} `.repeat(8)))), 8 * once, once)
        assert.isAbove(8 * once, 30)
      }))

    it.effect("thirty utterances at the same time, each like a single one", () =>
      Effect.gen(function*() {
        const languages = Array.from({ length: 30 }, (_, index) => LanguageCode.literals[index % 12] ?? "hi-IN")
        const firstOf = (language: LanguageCode) => saying(sentences[language].replace(/\?.*/, "?"), { language })
        const recordings = yield* Effect.forEach(languages, (language) => spoken(firstOf(language)), {
          concurrency: "unbounded"
        })
        recordings.forEach((audio, index) => {
          assert.closeTo(durationOf(audio), durationOf(recordings[index % 12] ?? audio), 0.1)
          assert.isAbove(speechSpans(audio).length, 0)
        })
      }))

    it.effect("again at once after a reader stopped in the middle", () =>
      Effect.gen(function*() {
        const { speak } = yield* Synthesizer
        const long = saying(sentences["hi-IN"].repeat(12))
        for (let round = 0; round < 4; round++) {
          const listening = yield* Effect.fork(Stream.runForEach(speak(long), () => Effect.yieldNow()))
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(listening)
          const first = yield* Stream.runCollect(Stream.take(speak(long), 1))
          assert.isAbove(concatSamples([...first]).length, 0)
        }
        assert.isAbove(durationOf(yield* spoken(saying("नमस्ते"))), 0.2)
      }))
  })
