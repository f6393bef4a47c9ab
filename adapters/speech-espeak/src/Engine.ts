import { macroTask, makeFairMutex } from "@trunkline/kernel"
import type { SpeechFailure } from "@trunkline/speech"
import { Duration, Effect, Stream } from "effect"
import { availableParallelism } from "node:os"
import { makeSlots } from "./Slots.js"

/** The program to use, and limits on its resources. */
export interface SpeechEspeakOptions {
  /** Path of the program, or its name on the PATH; `espeak-ng` by default, and null to use only WebAssembly. */
  readonly binary?: string | null
  /**
   * Number of utterances at a time; twice the number of cores by default. Each takes a process of 8 MB, or a thread of
   * about 60 MB; of threads there are at most as many as cores, and at most 4. On an idle core, synthesis is more than 100
   * times as fast as playback.
   */
  readonly concurrency?: number
  /** Number of utterances that may wait; 256 by default. */
  readonly waiting?: number
  /** Time that an utterance waits for its turn before it fails; 10 seconds by default. */
  readonly waitTimeout?: Duration.DurationInput
  /** Time without audio, at the start or in between, after which an utterance fails; 10 seconds by default. */
  readonly audioTimeout?: Duration.DurationInput
}

/** Options with their defaults, in milliseconds. */
export interface EngineLimits {
  readonly concurrency: number
  readonly waiting: number
  readonly waitMillis: number
  readonly audioMillis: number
}

/** Fills in the defaults. All of these times are real time, also where the clock of Effect is simulated. */
export const limitsOf = (
  { audioTimeout = "10 seconds", concurrency = 2 * availableParallelism(), waiting = 256, waitTimeout = "10 seconds" }:
    SpeechEspeakOptions
): EngineLimits => ({
  concurrency: Math.max(1, concurrency),
  waiting,
  waitMillis: Duration.toMillis(waitTimeout),
  audioMillis: Duration.toMillis(audioTimeout)
})

/** Sample rate of espeak. */
export const espeakRate = 22_050

/** Text for espeak, and how to speak it. */
export interface EspeakRequest {
  /** Text from `speakableText`. */
  readonly text: string
  /** Voice of espeak, such as `hi+f2`. */
  readonly voice: string
  /** Pitch from 0 to 99. */
  readonly pitch: number
  readonly wordsPerMinute: number
}

/** Samples at `espeakRate`. The stream fails rather than end early; silence is not a failure. */
export type EspeakAudio = Stream.Stream<Float32Array, SpeechFailure>

/** An utterance that is being synthesized. */
export interface Synthesis {
  readonly audio: EspeakAudio
  /** Stops it, and completes when nothing of it runs any more. */
  readonly end: Effect.Effect<void>
}

/** One of the forms of espeak: the program, or WebAssembly. */
export interface EspeakBackend {
  /** Its voice for English: that of India if it has one. */
  readonly english: string
  /** Begins an utterance. `onDone` is called when nothing of it runs any more, even if not all of its audio is read. */
  readonly begin: (request: EspeakRequest, onDone: () => void) => Effect.Effect<Synthesis, SpeechFailure>
}

/** espeak with a limit of utterances at a time. */
export interface EspeakEngine {
  readonly english: string
  /** Waits for its turn, and speaks. An interruption stops the synthesis. */
  readonly speak: (request: EspeakRequest) => EspeakAudio
}

/** Makes an engine of a backend. */
export const makeEngine = (
  { begin, english }: EspeakBackend,
  { concurrency, waiting, waitMillis }: EngineLimits
): EspeakEngine => {
  const slots = makeSlots({ size: concurrency, waiting, waitMillis })
  const startQueue = makeFairMutex()
  return {
    english,
    speak: (request) =>
      Stream.unwrapScoped(Effect.gen(function*() {
        const release = yield* slots.acquire
        // The event loop turns between two starts: starting a process takes 5 ms, and more with a large heap.
        yield* startQueue.withLock(macroTask)
        const { audio } = yield* Effect.acquireRelease(begin(request, release), ({ end }) => end)
        return audio
      }))
  }
}
