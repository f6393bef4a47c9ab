import type { Sound } from "../Sound.js"

/** About how many samples a second there are. */
const RATE = 8_000

/** How many of these each is the mean of: nothing is left of 2 and 4 kHz, and half of 1.2 kHz. */
const WIDTH = 4

/**
 * The low part of a sound, where vowels have their fundamental and are loudest, at about 8,000 samples a second or at
 * its own rate when that is less.
 */
export const voiceBand = ({ rate, samples }: Sound): Sound => {
  const step = Math.max(1, Math.floor(rate / RATE))
  const width = WIDTH * step
  const means = new Float32Array(Math.max(0, Math.floor((samples.length - width) / step) + 1))
  for (let at = 0; at < means.length; at++) {
    let sum = 0
    for (let part = at * step; part < at * step + width; part++) sum += samples[part] ?? 0
    means[at] = sum / width
  }
  return { rate: rate / step, samples: means }
}
