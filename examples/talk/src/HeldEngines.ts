import { BusinessTime } from "@trunkline/kernel"
import { LanguageModel } from "@trunkline/models"
import { Listener, Synthesizer } from "@trunkline/speech"
import { Clock, Effect, Layer, Stream } from "effect"

const wallClock = Clock.make()

/** Runs real work, with timeouts of real time, while simulated time stands still. */
const hold = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  BusinessTime.hold(Effect.withClock(work, wallClock))

/** Runs a stream to its end while simulated time stands still. */
const holdStream = <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E> =>
  Stream.unwrap(Effect.map(hold(Stream.runCollect(stream)), Stream.fromChunk))

/** The voice, the listener and the model of the surroundings, which take no time of the simulated call. */
export const heldEngines = Layer.mergeAll(
  Layer.effect(
    Synthesizer,
    Effect.map(Synthesizer, (voice) => ({ ...voice, speak: (utterance) => holdStream(voice.speak(utterance)) }))
  ),
  Layer.effect(
    Listener,
    Effect.map(Listener, ({ open }) => ({
      open: (options) =>
        Effect.map(hold(open(options)), (listening) => ({ ...listening, flush: hold(listening.flush) }))
    }))
  ),
  Layer.effect(
    LanguageModel,
    Effect.map(LanguageModel, (model) => ({
      ...model,
      generate: (request) => hold(model.generate(request)),
      stream: (request) => holdStream(model.stream(request))
    }))
  )
)
