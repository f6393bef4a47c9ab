import type { Audio } from "@trunkline/audio"
import { comparableText, type LanguageCode, TextNormalizer } from "@trunkline/spoken-text"
import { Context, Effect, Layer, Option } from "effect"
import { Transcriber } from "../Transcriber.js"
import { characterErrorRate } from "./CharacterErrorRate.js"
import { audioFaults, isBetter, isGood, type TakeQuality } from "./TakeQuality.js"

/** The expected content of a take. */
export interface ExpectedSpeech {
  /** The spoken clauses, in order. */
  readonly clauses: ReadonlyArray<string>
  readonly language: LanguageCode
  /** Speaking rate, 0.5 to 2. Default: 1. */
  readonly pace?: number
}

/** Highest character error rate of a good take. */
export const maxErrorRate = 0.25

/** Checks the quality of generated speech, and takes a second attempt when the first one fails the check. */
export class QualityCheck extends Context.Tag("@trunkline/speech/QualityCheck")<QualityCheck, {
  /**
   * Rates audio by its transcript, length and level. When the transcriber fails, a warning is logged and the transcript
   * does not count.
   */
  readonly judge: (audio: Audio, expectedSpeech: ExpectedSpeech) => Effect.Effect<TakeQuality>
  /**
   * Runs take 0, and take 1 when the first is not good. Returns the better take; take 0 when take 1 fails. Fails only when
   * take 0 fails.
   */
  readonly bestTake: <E>(
    takeOf: (take: number) => Effect.Effect<Audio, E>,
    expectedSpeech: ExpectedSpeech
  ) => Effect.Effect<Audio, E>
}>() {
  /** Transcribes with `Transcriber`, and compares texts after `TextNormalizer` has normalized them. */
  static readonly layer = Layer.effect(
    QualityCheck,
    Effect.gen(function*() {
      const { transcribe } = yield* Transcriber
      const { normalize } = yield* TextNormalizer

      /** The letters of a text without spaces: some languages write word boundaries in several ways that sound the same. */
      const lettersOf = (text: string, language: LanguageCode) =>
        comparableText(normalize(text, language), language).replaceAll(" ", "")

      const transcribeLetters = (audio: Audio, language: LanguageCode) =>
        transcribe(audio, { language }).pipe(
          Effect.tapError(({ _tag }) =>
            Effect.logWarning("Transcription failed; the quality check uses the audio alone", _tag)
          ),
          Effect.map((text) => lettersOf(text, language)),
          Effect.option
        )

      const judge = (audio: Audio, { clauses, language, pace = 1 }: ExpectedSpeech): Effect.Effect<TakeQuality> =>
        Effect.gen(function*() {
          const expectedLetters = lettersOf(clauses.join(" "), language)
          const faults = audioFaults(audio, { letters: Array.from(expectedLetters).length, pace })
          const transcript = yield* transcribeLetters(audio, language)
          if (Option.isNone(transcript)) return { faults, errorRate: null }
          const errorRate = yield* characterErrorRate(expectedLetters, transcript.value)
          return { faults: errorRate > maxErrorRate ? [...faults, "misread"] : faults, errorRate }
        })

      const bestTake = <E>(takeOf: (take: number) => Effect.Effect<Audio, E>, expectedSpeech: ExpectedSpeech) =>
        Effect.gen(function*() {
          const rateTake = (take: number) =>
            Effect.flatMap(
              takeOf(take),
              (audio) => Effect.map(judge(audio, expectedSpeech), (quality) => ({ audio, quality }))
            )
          const first = yield* rateTake(0)
          if (isGood(first.quality)) return first.audio
          const second = Option.filter(
            yield* Effect.option(rateTake(1)),
            ({ quality }) => isBetter(quality, first.quality)
          )
          const { audio, quality } = Option.getOrElse(second, () => first)
          if (!isGood(quality)) yield* Effect.logWarning("Generated speech failed its quality check", ...quality.faults)
          return audio
        })

      return QualityCheck.of({ judge, bestTake })
    })
  )
}
