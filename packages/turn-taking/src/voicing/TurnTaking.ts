import { makeResampler, VoiceActivityDetection } from "@trunkline/audio"
import { logFailure, mapSource, reasonOf, withReason } from "@trunkline/kernel"
import { Listener, type Listening, type SpeechFailure, Synthesizer } from "@trunkline/speech"
import { languageCodeOf, splitClauses, TextNormalizer } from "@trunkline/spoken-text"
import { CallFault, CallWatch, type Leg, Voicing } from "@trunkline/telephony"
import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { AgentVoice, type ChosenVoice } from "../AgentVoice.js"
import { makeAudioLeg } from "../AudioLeg.js"
import { heardFromNow } from "../EarlyEvents.js"
import { type LineAnswer, makeLineAnswer } from "../LineAnswer.js"
import { TurnModel } from "../TurnModel.js"
import { TurnTakingOption, turnTakingProblems } from "../TurnTakingOptions.js"

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
 * message when they cannot be used. Speech is found by `VoiceActivityDetection`; a `TurnModel`, if
 * one is provided, judges pauses.
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
      const detection = yield* VoiceActivityDetection
      const turnModel = yield* TurnModel
      const { controls, nativeRate } = synthesizer.ability
      const codeOf = (language_name: string) => languageCodeOf(language_name) ?? defaultLanguage

      /** Tells a watcher the words of a caller who still speaks, where the listener knows them. */
      const tellWords = ({ partials }: Listening, language_name: string | null, isSecret: () => boolean) =>
        Effect.flatMap(
          CallWatch,
          (watch) =>
            watch === null ? Effect.void : Effect.forkScoped(Stream.runForEach(partials, (text) =>
              Effect.sync(() => {
                if (text.trim() !== "" && !isSecret()) {
                  watch({ _tag: "Words", role: "user", text, language_name, isFinal: false })
                }
              })))
        )

      /** Tells who answers the words of the other side as they are known. */
      const tellAnswer = ({ partials }: Listening, answer: LineAnswer | null) =>
        answer === null ? Effect.void : Effect.forkScoped(Stream.runForEach(partials, (text) =>
          Effect.sync(() => {
            answer.detector.hear(text, false)
            answer.notice()
          })))

      const service: Voicing.Service = {
        legOf: (givenLine, brief) => {
          const line = heardFromNow(givenLine)
          const answer = brief.answer_handling === undefined ? null : makeLineAnswer(line.rate)
          const requestedText = brief.app_overrides.initial_language_name
          const language = requestedText === undefined ? null : languageCodeOf(requestedText)
          let isSecret = false
          const speakWith = (voiceNow: () => ChosenVoice) => (clause: string, language_name: string) => {
            const { pace, reference } = voiceNow()
            const language = codeOf(language_name)
            const text = normalizer.normalize(clause, language)
            const utterance = { text, language, pace: controls.includes("pace") ? pace : 1, reference, take: 0 }
            return resample(synthesizer.speak(utterance), nativeRate, line.rate)
          }
          const faultOf = (message: string) => (failure: SpeechFailure) =>
            new CallFault({ reason: withReason(`internal: ${message}`, reasonOf(failure)) })
          return Effect.all([
            Effect.mapError(listener.open({ rate: line.rate, language }), faultOf("no listener could be opened")),
            Effect.mapError(voices.of(brief), faultOf("the agent's voice could not be loaded")),
            detection.open({ rate: line.rate }),
            turnModel.open({ rate: line.rate })
          ], { concurrency: "unbounded" }).pipe(
            Effect.tap(([listening]) => tellWords(listening, requestedText ?? null, () => isSecret)),
            Effect.tap(([listening]) => tellAnswer(listening, answer)),
            Effect.flatMap(([listening, first, detector, judge]) => {
              let voice = first
              const audioLeg = makeAudioLeg({
                line,
                listening,
                detector,
                judge,
                options,
                answer,
                speak: speakWith(() => voice),
                clausesOf: (text, language_name) => splitClauses(text, codeOf(language_name))
              })
              return Effect.zipWith(audioLeg, Effect.scope, (leg, scope): Leg => ({
                ...leg,
                secrecy: (begins) => Effect.sync(() => void (isSecret = begins)),
                speakAs: (agent) =>
                  voices.of({ ...brief, ...agent }).pipe(
                    Scope.extend(scope),
                    Effect.map((chosenVoice) => void (voice = chosenVoice)),
                    Effect.catchAllCause((cause) =>
                      logFailure("The voice of the next agent could not be loaded", cause)
                    ),
                    Effect.asVoid
                  )
              }))
            })
          )
        }
      }
      return service
    })
  )
} as const
