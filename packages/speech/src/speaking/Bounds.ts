import { makeStretcher, padded, secondsOf, type Sound } from "@trunkline/audio"
import { Effect } from "effect"
import { wholeThrough } from "./InSlices.js"

/** How long a speech may be, in seconds; null is no bound. */
export interface Bounds {
  readonly least: number | null
  readonly most: number | null
}

/**
 * The longest that a speech may be: never less than its reference lasts (specification, voices/clone).
 */
export const mostSeconds = ({ most }: Bounds, referenceSeconds: number): number | null =>
  most === null ? null : Math.max(most, referenceSeconds)

/** A sound that is no longer than so many seconds: a longer one is spoken faster, its pitch unchanged. */
export const noLonger = (sound: Sound, seconds: number | null): Effect.Effect<Sound> => {
  const factor = seconds === null ? 1 : seconds / secondsOf(sound)
  if (factor >= 1) return Effect.succeed(sound)
  const { rate, samples } = sound
  return Effect.map(wholeThrough(samples, () => makeStretcher({ rate, factor })), (samples) => ({ rate, samples }))
}

/** A sound that is no shorter than so many seconds: silence follows a shorter one. */
export const noShorter = (sound: Sound, seconds: number | null): Sound =>
  seconds === null ? sound : padded(sound, Math.ceil(seconds * sound.rate))

/** A sound without what is beyond so many seconds: a part of a sample, after its rate was changed. */
export const cutAt = ({ rate, samples }: Sound, seconds: number | null): Sound => ({
  rate,
  samples: seconds === null ? samples : samples.subarray(0, Math.floor(seconds * rate))
})
