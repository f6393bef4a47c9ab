import { medianPitch, secondsOf, speechShare, syllableRate } from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import type { Reference } from "@trunkline/speech"
import { Effect } from "effect"
import { writtenSeconds } from "./WrittenLength.js"

/** What of a voice espeak can take over. */
export interface Traits {
  /** The median of its pitch, in Hz; null when nothing of it has a pitch. */
  readonly hertz: number | null
  /** How fast it speaks: 1 is as fast as espeak at 175 words per minute. */
  readonly tempo: number
}

/** Syllables a second that `syllableRate` finds in espeak at 175 words per minute: 4.6 to 5.9 in the twelve languages. */
const usualSyllables = 5.4

/** A written text that would have been spoken so slowly or so fast is not what is said. */
const slowest = 0.5
const fastest = 2

/** By the length of what is said, where that is known and likely. */
const tempoByText = ({ seconds, sound, text }: Reference): number | null => {
  const written = text === null ? null : writtenSeconds(text)
  const tempo = written === null ? null : written / (speechShare(sound) * seconds)
  return tempo !== null && tempo > slowest && tempo < fastest ? tempo : null
}

/** By the syllables that are heard; their seconds are as long as the reference says. */
const tempoBySyllables = ({ seconds, sound }: Reference): number => {
  const syllables = syllableRate(sound)
  return syllables === null ? 1 : syllables * secondsOf(sound) / seconds / usualSyllables
}

/** The traits of a voice, which take some 30 ms for a clip of 15 seconds; the event loop turns before and in between. */
export const traitsOf = (reference: Reference): Effect.Effect<Traits> =>
  Effect.gen(function*() {
    yield* macroTask
    const hertz = medianPitch(reference.sound)
    yield* macroTask
    const tempo = tempoByText(reference)
    yield* macroTask
    return { hertz, tempo: tempo ?? tempoBySyllables(reference) }
  })
