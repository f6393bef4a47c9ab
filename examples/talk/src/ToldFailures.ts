import { LanguageModel } from "@trunkline/models"
import { Listener, Synthesizer } from "@trunkline/speech"
import { Effect, Layer, Stream } from "effect"

/** The voice, the listener and the model of the surroundings, which tell why they fail, a line each. */
export const toldFailures = (write: (line: string) => void) => {
  const tell = (what: string) => ({ message }: { readonly message: string }) =>
    Effect.sync(() => write(`${what} failed: ${message}`))
  const listenerFailed = tell("The transcriber")
  const modelFailed = tell("The model")
  return Layer.mergeAll(
    Layer.effect(
      Synthesizer,
      Effect.map(Synthesizer, (voice) => ({
        ...voice,
        speak: (utterance) => Stream.tapError(voice.speak(utterance), tell("The voice"))
      }))
    ),
    Layer.effect(
      Listener,
      Effect.map(Listener, ({ open }) => ({
        open: (options) =>
          Effect.map(Effect.tapError(open(options), listenerFailed), (listening) => ({
            ...listening,
            flush: Effect.tapError(listening.flush, listenerFailed)
          }))
      }))
    ),
    Layer.effect(
      LanguageModel,
      Effect.map(LanguageModel, (model) => ({
        ...model,
        generate: (request) => Effect.tapError(model.generate(request), modelFailed),
        stream: (request) => Stream.tapError(model.stream(request), modelFailed)
      }))
    )
  )
}
