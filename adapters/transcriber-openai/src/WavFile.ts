import { makeResampler, type Sound, toLinear16, wavHeader } from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { Effect } from "effect"

/** The rate that speech is recognised at, in samples per second. */
const spokenRate = 16_000

/** Samples that are worked on without a pause: some milliseconds' worth. */
const atOnce = 32_768

/** A sound as a WAV file of 16 kHz, 16 bit and one channel, in parts. Others get their turn while it is made. */
export const wavFile = ({ rate, samples }: Sound): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  Effect.gen(function*() {
    const resampler = makeResampler({ from: rate, to: spokenRate })
    const parts: Array<Uint8Array> = []
    for (let at = 0; at < samples.length; at += atOnce) {
      parts.push(toLinear16(resampler.push(samples.subarray(at, at + atOnce))))
      yield* macroTask
    }
    parts.push(toLinear16(resampler.end()))
    const length = parts.reduce((sum, part) => sum + part.length, 0) / 2
    return [wavHeader({ rate: spokenRate, samples: length }), ...parts]
  })
