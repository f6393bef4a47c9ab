import type { Sound } from "../Sound.js"

/** Frames per second. */
export const FRAME_RATE = 100

/** The softest level that is told apart from silence, in dBFS: below what 16 bits can hold. */
export const SILENCE = -120

/** A mean square as dBFS: 0 is that of a square wave at full scale, -3 that of such a sine. */
export const decibels = (power: number): number => Math.max(SILENCE, 10 * Math.log10(power))

/** The mean square of each 10 ms around their own mean, so that a constant offset does not count; the rest is left out. */
export const framePowers = ({ rate, samples }: Sound): Float64Array => {
  const length = rate / FRAME_RATE
  const powers = new Float64Array(Math.floor(samples.length / length))
  for (let frame = 0; frame < powers.length; frame++) {
    const from = Math.round(frame * length)
    const to = Math.round((frame + 1) * length)
    let sum = 0
    let squares = 0
    for (let at = from; at < to; at++) {
      const sample = samples[at] ?? 0
      sum += sample
      squares += sample * sample
    }
    const count = to - from
    powers[frame] = Math.max(0, squares / count - (sum / count) ** 2)
  }
  return powers
}
