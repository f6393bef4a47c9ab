import { BusinessTime } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { Synthesizer, Transcriber } from "@trunkline/speech"
import { Effect, Layer, Stream } from "effect"

/** Runs a stream to its end while simulated time stands still. */
const holdStream = <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E> =>
  Stream.unwrap(Effect.map(BusinessTime.hold(Stream.runCollect(stream)), Stream.fromChunk))

/** The voice, the transcriber and the model of the surroundings, which take no time of the simulated call. */
export const heldEngines = Layer.mergeAll(
  Layer.effect(
    Synthesizer,
    Effect.map(Synthesizer, (voice) => ({ ...voice, speak: (utterance) => holdStream(voice.speak(utterance)) }))
  ),
  Layer.effect(
    Transcriber,
    Effect.map(Transcriber, ({ available, transcribe }) => ({
      available,
      transcribe: (sound, options) => BusinessTime.hold(transcribe(sound, options))
    }))
  ),
  Layer.effect(
    LanguageModel,
    Effect.map(LanguageModel, (model) => ({
      ...model,
      generate: (request) => BusinessTime.hold(model.generate(request)),
      stream: (request) => holdStream(model.stream(request))
    }))
  )
)
