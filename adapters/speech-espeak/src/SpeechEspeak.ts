import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { type SpeechCapabilities, type SynthesisInput, Synthesizer } from "@trunkline/speech"
import { LanguageCode } from "@trunkline/spoken-text"
import { Context, Effect, Fiber, Layer, Scope, Stream } from "effect"
import { availableParallelism } from "node:os"
import {
  type EngineLimits,
  type EspeakAudio,
  type EspeakEngine,
  espeakRate,
  limitsOf,
  makeEngine,
  type SpeechEspeakOptions
} from "./Engine.js"
import { binaryBackend } from "./EspeakProcess.js"
import { makeWasmBackend, startEspeakThread, workerEntry } from "./EspeakThread.js"
import { describeEspeak, type EspeakDescription, findEspeak, type FoundEspeak } from "./FindEspeak.js"
import { closingPause, hasWords, speakableText } from "./SpeakableText.js"
import { parametersFor } from "./VoiceParameters.js"
import { makeVoiceTraitsCache } from "./VoiceTraits.js"

const ability: SpeechCapabilities = {
  engine: "espeak-pitchmatch",
  cloning: "pitch-rate-match",
  languages: LanguageCode.literals,
  nativeRate: espeakRate,
  controls: []
}

const silence = (seconds: number) => new Float32Array(Math.round(seconds * espeakRate))

/** Length of the silence for a text without words, such as one of emoji, in seconds. */
const emptyTextSeconds = 0.2

/** Minimum level of audible samples, about -50 dB of full scale. */
const audibleLevel = 0.003

const silentFailure = new ModelFailed({ message: "espeak-ng gave no sound" })

/** Fails at the end of audio without any audible sample. */
const failIfSilent = (audio: EspeakAudio): EspeakAudio =>
  Stream.suspend(() => {
    let isAudible = false
    return audio.pipe(
      Stream.tap((samples) => Effect.sync(() => isAudible ||= samples.some((it) => Math.abs(it) > audibleLevel))),
      Stream.concat(Stream.suspend(() => isAudible ? Stream.empty : Stream.fail(silentFailure)))
    )
  })

const scaleBy = (gain: number) => (samples: Float32Array) => samples.map((sample) => sample * gain)

/** Maximum number of threads of WebAssembly. */
const maxThreads = 4

/** Engine of an espeak. Without any, every utterance fails, with a message that says what to install. */
const engineOf = (espeak: FoundEspeak, limits: EngineLimits): Effect.Effect<EspeakEngine, never, Scope.Scope> => {
  switch (espeak.kind) {
    case "binary":
      return Effect.succeed(makeEngine(binaryBackend(espeak, limits.audioMillis), limits))
    case "wasm": {
      const concurrency = Math.min(limits.concurrency, availableParallelism(), maxThreads)
      const start = () => startEspeakThread(workerEntry)
      return Effect.map(
        makeWasmBackend({ start, audioMillis: limits.audioMillis }),
        (backend) => makeEngine(backend, { ...limits, concurrency })
      )
    }
    case "none": {
      const { message } = describeEspeak(espeak)
      return Effect.succeed({
        english: "en",
        speak: () => Stream.fail(new ModelUnavailable({ message, lasting: true }))
      })
    }
  }
}

/** Synthesizer of an espeak. */
export const espeakSynthesizer = (espeak: FoundEspeak, options: SpeechEspeakOptions): Layer.Layer<Synthesizer> =>
  Layer.scoped(
    Synthesizer,
    Effect.gen(function*() {
      const engine = yield* engineOf(espeak, limitsOf(options))
      const traits = makeVoiceTraitsCache()

      const speak = ({ language, reference, text }: SynthesisInput): EspeakAudio =>
        Stream.unwrap(Effect.gen(function*() {
          const speakable = speakableText(text, language)
          if (!hasWords(speakable)) return Stream.make(silence(emptyTextSeconds))
          const { gain, ...parameters } = parametersFor(yield* traits.of(reference), language, engine.english)
          const pause = silence(closingPause(speakable, parameters.wordsPerMinute))
          return engine.speak({ ...parameters, text: speakable }).pipe(
            Stream.map(scaleBy(gain)),
            failIfSilent,
            Stream.concat(pause.length > 0 ? Stream.make(pause) : Stream.empty)
          )
        }))

      return { ability, speak }
    })
  )

const find = ({ binary = "espeak-ng" }: SpeechEspeakOptions) => findEspeak(binary)

/**
 * espeak-ng with the pitch and the speaking rate of a voice. It does not sound like the speaker, so it is not called
 * cloning.
 *
 * It is the program `espeak-ng` in a child process for each utterance. If that is not installed, it is the optional peer
 * `@echogarden/espeak-ng-emscripten`, WebAssembly in worker threads. Without either, every utterance fails with
 * `ModelUnavailable`, whose message says what to install. Both are under the GPL: this package contains neither.
 *
 * @example
 * const synthesizer = SpeechEspeak.layer({ concurrency: 4 })
 */
export const SpeechEspeak = {
  /**
   * A `Synthesizer` of the espeak that is installed at its first utterance, which looks for it. Looking starts a program, so that
   * an engine that says nothing starts none.
   */
  layer: (options: SpeechEspeakOptions = {}): Layer.Layer<Synthesizer> =>
    Layer.scoped(
      Synthesizer,
      Effect.gen(function*() {
        const scope = yield* Effect.scope
        const build = Effect.flatMap(find(options), (espeak) => Layer.build(espeakSynthesizer(espeak, options)))
        const search = Scope.extend(Effect.interruptible(build), scope)
        // Forked, so that an utterance that is interrupted does not end the search for the next one.
        const start = yield* Effect.cached(Effect.forkIn(search, scope))
        const synthesizer = Effect.map(
          Effect.flatMap(Effect.uninterruptible(start), Fiber.join),
          (context) => Context.get(context, Synthesizer)
        )
        return { ability, speak: (input) => Stream.unwrap(Effect.map(synthesizer, ({ speak }) => speak(input))) }
      })
    ),
  /** Describes the installed espeak, for start-up messages. */
  describe: (options: SpeechEspeakOptions = {}): Effect.Effect<EspeakDescription> =>
    Effect.map(find(options), describeEspeak)
}
