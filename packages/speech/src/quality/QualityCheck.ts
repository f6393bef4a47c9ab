import type { Sound } from "@trunkline/audio"
import { comparable, type LanguageCode, TextNormalizer } from "@trunkline/spoken-text"
import { Context, Effect, Layer, Option } from "effect"
import { Transcriber } from "../ports/Transcriber.js"
import { characterErrorRate } from "./CharacterErrorRate.js"
import { soundFaults } from "./SoundFaults.js"
import { isBetter, isGood, type Verdict } from "./Verdict.js"

/** What a take should be. */
export interface Expected {
  /** What is said, in order. */
  readonly clauses: ReadonlyArray<string>
  readonly language: LanguageCode
  /** 0.5 to 2; 1 unless told. */
  readonly pace?: number
}

/** The share of wrong characters with which a take is still good (design: telephony 5). */
export const mostWrong = 0.25

/** Tells whether speech says what it should, and has it said again where it does not (specification, `enable_qc`). */
export class QualityCheck extends Context.Tag("@trunkline/speech/QualityCheck")<QualityCheck, {
  /**
   * How good a sound is: by its words, its length and its level. Its words do not count where nobody can tell them, which
   * is logged.
   */
  readonly judge: (sound: Sound, expected: Expected) => Effect.Effect<Verdict>
  /**
   * Speaks, by the number of the take: once, and again where take 0 is not good. It gives the better one, and take 0
   * where take 1 fails.
   */
  readonly bestTake: <E>(
    takeOf: (take: number) => Effect.Effect<Sound, E>,
    expected: Expected
  ) => Effect.Effect<Sound, E>
}>() {
  /** Listens by `Transcriber`, and compares texts as `TextNormalizer` writes them. */
  static readonly layer = Layer.effect(
    QualityCheck,
    Effect.gen(function*() {
      const { transcribe } = yield* Transcriber
      const { normalize } = yield* TextNormalizer

      /** The letters of a text. Where words end is written in several ways in some languages, and cannot be heard. */
      const lettersOf = (text: string, language: LanguageCode) =>
        comparable(normalize(text, language), language).replaceAll(" ", "")

      const heard = (sound: Sound, language: LanguageCode) =>
        transcribe(sound, { language }).pipe(
          Effect.tapError(({ _tag }) =>
            Effect.logWarning("Speech is checked by its sound alone: nobody listens", _tag)
          ),
          Effect.map((text) => lettersOf(text, language)),
          Effect.option
        )

      const judge = (sound: Sound, { clauses, language, pace = 1 }: Expected): Effect.Effect<Verdict> =>
        Effect.gen(function*() {
          const wanted = lettersOf(clauses.join(" "), language)
          const faults = soundFaults(sound, { letters: Array.from(wanted).length, pace })
          const got = yield* heard(sound, language)
          if (Option.isNone(got)) return { faults, errorRate: null }
          const errorRate = yield* characterErrorRate(wanted, got.value)
          return { faults: errorRate > mostWrong ? [...faults, "misread"] : faults, errorRate }
        })

      const bestTake = <E>(takeOf: (take: number) => Effect.Effect<Sound, E>, expected: Expected) =>
        Effect.gen(function*() {
          const judged = (take: number) =>
            Effect.flatMap(
              takeOf(take),
              (sound) => Effect.map(judge(sound, expected), (verdict) => ({ sound, verdict }))
            )
          const first = yield* judged(0)
          if (isGood(first.verdict)) return first.sound
          const second = Option.filter(
            yield* Effect.option(judged(1)),
            ({ verdict }) => isBetter(verdict, first.verdict)
          )
          const { sound, verdict } = Option.getOrElse(second, () => first)
          if (!isGood(verdict)) yield* Effect.logWarning("Speech did not pass its quality check", ...verdict.faults)
          return sound
        })

      return QualityCheck.of({ judge, bestTake })
    })
  )
}
