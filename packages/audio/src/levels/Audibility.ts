import { frameMillis } from "../Frame.js"

/** Least mean square of the samples of a frame with sound: -50 dBFS. */
const audiblePower = 1e-5

/** True when a part of some samples holds sound. */
export const isAudible = (samples: Float32Array, from = 0, to = samples.length): boolean => {
  let squares = 0
  for (let at = from; at < to; at++) squares += (samples[at] ?? 0) ** 2
  return squares > audiblePower * (to - from)
}

/** Samples without the silence before the first and after the last frame with sound. */
export const withoutSilence = (samples: Float32Array, rate: number): Float32Array => {
  const length = Math.round(rate * frameMillis / 1000)
  let from = 0
  let to = samples.length
  while (from < to && !isAudible(samples, from, Math.min(to, from + length))) from = Math.min(to, from + length)
  while (to > from && !isAudible(samples, Math.max(from, to - length), to)) to = Math.max(from, to - length)
  return samples.subarray(from, to)
}
