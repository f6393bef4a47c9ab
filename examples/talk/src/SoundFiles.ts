import {
  concatSamples,
  decodeFrames,
  makeResampler,
  sampleSize,
  toLinear16,
  wavFrames,
  wavHeader
} from "@trunkline/audio"
import { Either } from "effect"
import { Unusable } from "./Arguments.js"

/** Sample rate of calls, in hertz. */
export const callRate = 8_000

/** The first channel of a WAV file, at the rate of calls. */
export const callerSoundOf = (path: string, bytes: Uint8Array): Either.Either<Float32Array, Unusable> =>
  wavFrames(bytes).pipe(
    Either.mapLeft(({ message }) => new Unusable({ message: `${path} cannot be used: ${message}` })),
    Either.map((frames) => {
      const size = sampleSize(frames.encoding)
      const count = Math.floor(frames.bytes.length / (size * frames.channels))
      const first = new Uint8Array(count * size)
      for (let frame = 0; frame < count; frame++) {
        const from = frame * size * frames.channels
        first.set(frames.bytes.subarray(from, from + size), frame * size)
      }
      const { rate, samples } = decodeFrames({ ...frames, bytes: first, channels: 1 })
      if (rate === callRate) return samples
      const { end, push } = makeResampler({ from: rate, to: callRate })
      return concatSamples([push(samples), end()])
    })
  )

/** A WAV file of 16 bits at the rate of calls: the agent alone, or the caller left and the agent right. */
export const callFileOf = (agent: Float32Array, caller: Float32Array | null): Uint8Array => {
  const channels = caller === null ? 1 : 2
  const samples = agent.length * channels
  const header = wavHeader({ rate: callRate, samples })
  const view = new DataView(header.buffer)
  view.setUint16(22, channels, true)
  view.setUint32(28, callRate * 2 * channels, true)
  view.setUint16(32, 2 * channels, true)
  const sound = caller === null
    ? agent
    : new Float32Array(samples).map((_, at) => (at % 2 === 0 ? caller : agent)[at >> 1] ?? 0)
  const file = new Uint8Array(header.length + samples * 2)
  file.set(header)
  file.set(toLinear16(sound), header.length)
  return file
}
