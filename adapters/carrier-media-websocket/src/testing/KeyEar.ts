import { frequenciesOf } from "../media/KeyTones.js"

const keys = "0123456789*#ABCD"

/** Power of a frequency in samples (Goertzel). */
const powerOf = (samples: Float32Array, frequency: number, rate: number): number => {
  const factor = 2 * Math.cos(2 * Math.PI * frequency / rate)
  let [before, last] = [0, 0]
  for (const sample of samples) [before, last] = [last, sample + factor * last - before]
  return (before * before + last * last - factor * before * last) / samples.length
}

/** Hears keys in the sound of frames of 20 ms, each once. */
export const makeKeyEar = (
  rate: number
): { readonly hear: (frame: Float32Array) => void; readonly keys: () => string } => {
  let digits = ""
  let last: string | null = null
  return {
    hear: (frame) => {
      const energy = frame.reduce((sum, sample) => sum + sample * sample, 0) / 2
      const match = energy < 0.5 ? undefined : Array.from(keys).find((key) => {
        const tone = frequenciesOf(key)
        return tone !== null && tone.every((frequency) => powerOf(frame, frequency, rate) > energy * 0.3)
      })
      if (match !== undefined && match !== last) digits += match
      last = match ?? null
    },
    keys: () => digits
  }
}
