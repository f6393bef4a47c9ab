import { concatSamples } from "@trunkline/audio"

/** Sample rate of the line, in hertz. */
export const callerRate = 8_000

/** A buzz of five harmonics, as of a voiced sound. */
const buzz = (rate: number, seconds: number, pitch: number): Float32Array =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, index) => {
    const phase = 2 * Math.PI * pitch * index / rate
    return [1, 2, 3, 5, 8].reduce((sum, harmonic) => sum + Math.sin(harmonic * phase) / harmonic, 0) * 0.12
  })

const longest = 12

/** Recordings of the voice by their sample rate in hertz. */
const recordings = new Map([8_000, 24_000].map((rate) => [rate, buzz(rate, longest, 140)]))

/** Pieces of 100 ms of a recording at 8 or 24 kHz, together so many seconds long, up to twelve. */
export const voiceSound = (rate: number, seconds: number): ReadonlyArray<Float32Array> => {
  const samples = recordings.get(rate)?.subarray(0, Math.round(seconds * rate)) ?? new Float32Array()
  const length = rate / 10
  return Array.from(
    { length: Math.ceil(samples.length / length) },
    (_, index) => samples.subarray(index * length, (index + 1) * length)
  )
}

const word = buzz(callerRate, 0.3, 190)
const gap = new Float32Array(0.06 * callerRate)

const sentences = new Map<string, Float32Array>()

/**
 * Sound of so many words, of 230 to 290 ms each by a seed, with 60 ms between them; it ends with a voiced sample. It is made
 * once, so that no call pays for it.
 */
export const callerSound = (words: number, seed: number): Float32Array => {
  const key = `${words} ${seed}`
  const sound = sentences.get(key) ?? speak(words, seed)
  sentences.set(key, sound)
  return sound
}

const speak = (words: number, seed: number): Float32Array => {
  const spoken = Array.from(
    { length: words },
    (_, index) => word.subarray(0, callerRate * 0.23 + (seed * 7 + index * 13) % 60 * 8)
  )
  return concatSamples(spoken.flatMap((each, index) => index === 0 ? [each] : [gap, each]))
}
