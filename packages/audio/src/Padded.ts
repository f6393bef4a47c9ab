import type { Sound } from "./Sound.js"

/** A sound of at least so many samples: silence follows what is shorter. */
export const padded = (sound: Sound, length: number): Sound => {
  if (sound.samples.length >= length) return sound
  const samples = new Float32Array(length)
  samples.set(sound.samples)
  return { rate: sound.rate, samples }
}
