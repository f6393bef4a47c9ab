import { makeResampler } from "@trunkline/audio"
import { mapSource, reasonOf, withReason } from "@trunkline/kernel"
import { Listener, type SpeechFailure, Synthesizer } from "@trunkline/speech"
import { languageCodeOf, splitClauses, TextNormalizer } from "@trunkline/spoken-text"
import { CallFault, Voicing } from "@trunkline/telephony"
import { Effect, Exit, Layer, type Stream } from "effect"
import { AgentVoice, type ChosenVoice } from "./AgentVoice.js"
import { makeAudioLeg } from "./AudioLeg.js"
import { TurnTakingOption, turnTakingProblems } from "./TurnTakingOptions.js"

/** Language of utterances whose language no voice speaks. */
const defaultLanguage = "en-IN"

/** Sound at the rate of the line. */
const resample = <E>(sound: Stream.Stream<Float32Array, E>, from: number, to: number): Stream.Stream<Float32Array, E> =>
  from === to ? sound : mapSource(sound, () => {
    const resampler = makeResampler({ from, to, band: "telephone" })
    return (pieces) => {
      const blocks = pieces === null ? [resampler.end()] : pieces.map(resampler.push)
      return Exit.succeed(blocks.filter(({ length }) => length > 0))
    }
  })

/**
 * Turn-taking on lines with sound: `Voicing` over a synthesizer and a listener. A call whose listener or whose
 * agent's voice fails at the start is a `CallFault`. The options are those of `TurnTakingOption`; the layer dies with a
 * message when they cannot be used.
 *
 * @example
 * ```ts
 * const voicing = TurnTaking.layer.pipe(
 *   Layer.provide([SpeechEspeak.layer(), Listener.layerOfTranscriber, TextNormalizer.layer]),
 *   Layer.provide(transcriber)
 * )
 * ```
 */
export const TurnTaking = {
  layer: Layer.effect(
    Voicing,
    Effect.gen(function*() {
      const synthesizer = yield* Synthesizer
      const listener = yield* Listener
      const normalizer = yield* TextNormalizer
      const options = yield* TurnTakingOption
      const problems = turnTakingProblems(options)
      if (problems.length > 0) return yield* Effect.dieMessage(`Invalid options of turn-taking: ${problems.join("; ")}`)
      const voices = yield* AgentVoice
      const { controls, nativeRate } = synthesizer.ability
      const codeOf = (language_name: string) => languageCodeOf(language_name) ?? defaultLanguage

      const service: Voicing.Service = {
        legOf: (line, brief) => {
          const requested = brief.app_overrides.initial_language_name
          const language = requested === undefined ? null : languageCodeOf(requested)
          const speakAs = ({ pace, reference }: ChosenVoice) => (clause: string, language_name: string) => {
            const language = codeOf(language_name)
            const text = normalizer.normalize(clause, language)
            const utterance = { text, language, pace: controls.includes("pace") ? pace : 1, reference, take: 0 }
            return resample(synthesizer.speak(utterance), nativeRate, line.rate)
          }
          const failed = (what: string) => (failure: SpeechFailure) =>
            new CallFault({ reason: withReason(`internal: ${what}`, reasonOf(failure)) })
          return Effect.all([
            Effect.mapError(listener.open({ rate: line.rate, language }), failed("no listener could be opened")),
            Effect.mapError(voices.of(brief), failed("the agent's voice could not be loaded"))
          ], { concurrency: "unbounded" }).pipe(
            Effect.flatMap(([listening, voice]) =>
              makeAudioLeg({
                line,
                listening,
                options,
                speak: speakAs(voice),
                clausesOf: (text, language_name) => splitClauses(text, codeOf(language_name))
              })
            )
          )
        }
      }
      return service
    })
  )
} as const
