import { type Sound, toLinear16, wavHeader } from "@trunkline/audio"
import { concatBytes, macroTask } from "@trunkline/kernel"
import { Effect } from "effect"

/** Samples that are written without a pause: a millisecond's worth, since many may write at once. */
const atOnce = 65_536

/** A sound as a WAV file: 16 bit, one channel, at its own rate. Others get their turn while it is written. */
export const wavClip = ({ rate, samples }: Sound): Effect.Effect<Uint8Array> =>
  Effect.gen(function*() {
    const parts = [wavHeader({ rate, samples: samples.length })]
    for (let at = 0; at < samples.length; at += atOnce) {
      parts.push(toLinear16(samples.subarray(at, at + atOnce)))
      yield* macroTask
    }
    return concatBytes(parts)
  })
