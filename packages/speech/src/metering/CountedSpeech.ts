import { CurrentUsage, mapSource, type ServiceUsage, unwrapSource } from "@trunkline/kernel"
import { Effect, Exit, Layer } from "effect"
import { Listener } from "../Listener.js"
import { Synthesizer } from "../Synthesizer.js"
import { Transcriber } from "../Transcriber.js"

/** The provider of a voice or a transcriber, and its model, as prices name them. */
export type SpeechProvider = Pick<ServiceUsage, "model" | "provider">

/** The layer of a voice that notes its characters, and the seconds of its sound, with the meter of the call. */
export const countedVoiceLayer = <E, R>(
  voice: Layer.Layer<Synthesizer, E, R>,
  provider: SpeechProvider
): Layer.Layer<Synthesizer, E, R> => {
  const key = { service: "voice", ...provider } as const
  const withMeter = Effect.map(Synthesizer, ({ ability, speak }) =>
    Synthesizer.of({
      ability,
      speak: (utterance) =>
        unwrapSource(Effect.withFiberRuntime((fiber) => {
          const meter = fiber.getFiberRef(CurrentUsage)
          if (meter === null) return Effect.succeed(speak(utterance))
          meter.note({ ...key, unit: "character", quantity: utterance.text.length })
          const sound = mapSource(speak(utterance), () => (chunks) => {
            const samples = (chunks ?? []).reduce((sum, { length }) => sum + length, 0)
            meter.note({ ...key, unit: "second", quantity: samples / ability.nativeRate })
            return Exit.succeed(chunks)
          })
          return Effect.succeed(sound)
        }))
    }))
  return Layer.provide(Layer.effect(Synthesizer, withMeter), voice)
}

/** The layer of a live transcriber that notes the seconds of sound that it is sent with the meter of the call. */
export const countedListenerLayer = <E, R>(
  listener: Layer.Layer<Listener, E, R>,
  provider: SpeechProvider
): Layer.Layer<Listener, E, R> => {
  const key = { service: "transcriber", ...provider, unit: "second" } as const
  const withMeter = Effect.map(Listener, ({ open, ...rest }) =>
    Listener.of({
      ...rest,
      open: (options) =>
        Effect.withFiberRuntime((fiber) => {
          const meter = fiber.getFiberRef(CurrentUsage)
          if (meter === null) return open(options)
          let samples = 0
          const note = Effect.addFinalizer(() =>
            Effect.sync(() => meter.note({ ...key, quantity: samples / options.rate }))
          )
          return Effect.zipRight(
            note,
            Effect.map(open(options), (listening) => ({
              ...listening,
              push: (sound: Float32Array) => {
                samples += sound.length
                listening.push(sound)
              }
            }))
          )
        })
    }))
  return Layer.provide(Layer.effect(Listener, withMeter), listener)
}

/** The layer of a transcriber that notes the seconds of the sound that it transcribes with the meter of the call. */
export const countedTranscriberLayer = <E, R>(
  transcriber: Layer.Layer<Transcriber, E, R>,
  provider: SpeechProvider
): Layer.Layer<Transcriber, E, R> => {
  const key = { service: "transcriber", ...provider, unit: "second" } as const
  const withMeter = Effect.map(Transcriber, ({ available, transcribe }) =>
    Transcriber.of({
      available,
      transcribe: (audio, options) =>
        Effect.withFiberRuntime((fiber) => {
          const seconds = audio.samples.length / audio.rate
          fiber.getFiberRef(CurrentUsage)?.note({ ...key, quantity: seconds })
          return transcribe(audio, options)
        })
    }))
  return Layer.provide(Layer.effect(Transcriber, withMeter), transcriber)
}
