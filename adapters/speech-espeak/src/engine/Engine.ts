import { macroTask, makeTurns } from "@trunkline/kernel"
import type { SpeechFailure } from "@trunkline/speech"
import { Effect, Stream } from "effect"
import type { EngineLimits } from "../SpeechEspeakOptions.js"
import { makePlaces } from "./Places.js"

/** The samples per second that espeak gives. */
export const espeakRate = 22_050

/** What espeak is told to say, and how. */
export interface Speaking {
  /** What `speakable` leaves of a text. */
  readonly text: string
  /** espeak's name of a voice, such as `hi+f2`. */
  readonly voice: string
  /** 0 to 99. */
  readonly pitch: number
  readonly wordsPerMinute: number
}

/** Samples at `espeakRate`. It fails rather than end early; silence is no failure. */
export type EspeakSound = Stream.Stream<Float32Array, SpeechFailure>

/** Work that has begun. */
export interface Begun {
  readonly sound: EspeakSound
  /** Stops it if it is not over, and waits until nothing of it runs any more. */
  readonly end: Effect.Effect<void>
}

/** One of the forms in which espeak comes. */
export interface EngineForm {
  /** Its voice for English: that of India where it has one. */
  readonly english: string
  /** Begins at once. `onGone` is called when nothing of it runs any more, even if not all is read. */
  readonly begin: (speaking: Speaking, onGone: () => void) => Effect.Effect<Begun, SpeechFailure>
}

/** espeak, for so many at a time. */
export interface Engine {
  readonly english: string
  /** Waits for its turn, and speaks. Interrupting it stops the work. */
  readonly speak: (speaking: Speaking) => EspeakSound
}

/** An engine of one form. */
export const makeEngine = (
  { begin, english }: EngineForm,
  { concurrency, patience, waiting }: EngineLimits
): Engine => {
  const places = makePlaces({ size: concurrency, waiting, patience })
  const beginnings = makeTurns()
  return {
    english,
    speak: (speaking) =>
      Stream.unwrapScoped(Effect.gen(function*() {
        const leave = yield* places.enter
        // The event loop turns between two beginnings: a process takes 5 ms to start, and more where there is much memory.
        yield* beginnings.take(macroTask)
        const { sound } = yield* Effect.acquireRelease(begin(speaking, leave), ({ end }) => end)
        return sound
      }))
  }
}
