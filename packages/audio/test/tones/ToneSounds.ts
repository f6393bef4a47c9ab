import { concatSamples } from "@trunkline/audio"

/** Rate of all tones of tests, in hertz. */
export const rate = 8_000

/** Frequencies that sound together. */
export type Chord = ReadonlyArray<number>

/** A pause, in seconds. */
export const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * rate))

/** Frequencies that sound together for some seconds, at a level in dBFS for each. */
export const chord = (frequencies: Chord, seconds: number, level = -15): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, at) =>
      frequencies.reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * at / rate), 0) *
      Math.SQRT2 * 10 ** (level / 20)
  )

/** A rhythm that repeats: seconds of the tone and of the pause in turns. */
export const rhythm = (
  frequencies: Chord,
  seconds: ReadonlyArray<number>,
  repeats: number,
  level?: number
): Float32Array =>
  concatSamples(
    Array.from(
      { length: repeats },
      () => seconds.map((part, index) => index % 2 === 0 ? chord(frequencies, part, level) : silence(part))
    ).flat()
  )

/** The tone of special information: three rising tones of these frequencies and seconds. */
export const information = (
  frequencies: readonly [number, number, number],
  seconds: readonly [number, number, number] = [0.33, 0.33, 0.33]
): Float32Array => concatSamples(frequencies.map((hertz, index) => chord([hertz], seconds[index] ?? 0)))

/** Frames of 20 ms. */
export const framesOf = (samples: Float32Array): ReadonlyArray<Float32Array> =>
  Array.from({ length: Math.floor(samples.length / 160) }, (_, at) => samples.subarray(at * 160, (at + 1) * 160))
