import { makeHistogram, mapSource } from "@trunkline/kernel"
import { LanguageModel, type Model } from "@trunkline/models"
import { Listener, Synthesizer, Transcriber } from "@trunkline/speech"
import { type Clock, Effect, Exit, Layer, type Stream } from "effect"

const results = ["ok", "failed", "interrupted"] as const

const bounds = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30]

const modelDurations = makeHistogram({
  name: "trunkline_model_duration_seconds",
  help: "Whole answers of the language model, from their request",
  labels: { result: results },
  bounds
})

const firstTokens = makeHistogram({
  name: "trunkline_model_first_token_seconds",
  help: "Time from a streamed request to the first piece of the answer of the language model",
  bounds
})

const firstSounds = makeHistogram({
  name: "trunkline_voice_first_sound_seconds",
  help: "Time from a text to its first sound from the voice",
  bounds
})

const transcripts = makeHistogram({
  name: "trunkline_transcript_duration_seconds",
  help: "Time from the end of a clip or turn to its words from the transcriber",
  labels: { result: results },
  bounds
})

const resultOf = (exit: Exit.Exit<unknown, unknown>): typeof results[number] =>
  Exit.isSuccess(exit) ? "ok" : Exit.isInterrupted(exit) ? "interrupted" : "failed"

const seconds = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e9

/** Records the duration of an effect. */
const measure = <A, E>(clock: Clock.Clock, durations: typeof transcripts, work: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const began = seconds(clock)
    return Effect.onExit(
      work,
      (exit) => Effect.sync(() => durations.record(seconds(clock) - began, { result: resultOf(exit) }))
    )
  })

/** Records the time until a stream has its first elements. It costs next to nothing after them. */
const firstTimed = <A, E>(clock: Clock.Clock, firsts: typeof firstTokens, stream: Stream.Stream<A, E>) =>
  mapSource(stream, () => {
    const began = seconds(clock)
    let isFirst = true
    return (elements) => {
      if (isFirst && elements !== null && elements.length > 0) {
        isFirst = false
        firsts.record(seconds(clock) - began)
      }
      return Exit.succeed(elements)
    }
  })

const measuredModel = (clock: Clock.Clock, { generate, stream }: Model): Model => ({
  generate: (request) => measure(clock, modelDurations, generate(request)),
  stream: (request) => firstTimed(clock, firstTokens, stream(request))
})

/** The providers of an engine, whose latencies are recorded: its model, its voice, its transcriber and its listener. */
export const measuredProviders = Layer.mergeAll(
  Layer.effect(LanguageModel, Effect.zipWith(Effect.clock, LanguageModel, measuredModel)),
  Layer.effect(
    Synthesizer,
    Effect.zipWith(Effect.clock, Synthesizer, (clock, { ability, speak }) => ({
      ability,
      speak: (utterance) => firstTimed(clock, firstSounds, speak(utterance))
    }))
  ),
  Layer.effect(
    Transcriber,
    Effect.zipWith(Effect.clock, Transcriber, (clock, { available, transcribe }) => ({
      available,
      transcribe: (audio, options) => measure(clock, transcripts, transcribe(audio, options))
    }))
  ),
  Layer.effect(
    Listener,
    Effect.zipWith(Effect.clock, Listener, (clock, { open, ...rest }) => ({
      ...rest,
      open: (options) =>
        Effect.map(open(options), (listening) => ({
          ...listening,
          flush: measure(clock, transcripts, listening.flush)
        }))
    }))
  )
)
