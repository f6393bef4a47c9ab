import type { Sound } from "../Sound.js"

/** A sine, as the laws and tests use it. */
export interface Tone {
  readonly rate: number
  readonly seconds: number
  readonly hertz: number
  /** How far it swings from 0; 1 is full scale. */
  readonly level: number
}

/** A sine that begins at 0 and rises. */
export const toneOf = ({ hertz, level, rate, seconds }: Tone): Sound => ({
  rate,
  samples: Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, at) => level * Math.sin(2 * Math.PI * hertz * at / rate)
  )
})

/** The half of a sound that is furthest from its ends. */
export const middleOf = ({ rate, samples }: Sound): Sound => ({
  rate,
  samples: samples.subarray(Math.floor(samples.length / 4), Math.ceil(samples.length * 3 / 4))
})

/** How far a sine of the same power as a sound swings. */
export const swingOf = ({ samples }: Sound): number =>
  Math.sqrt(2 * samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

/** The frequency of a tone, by where it first and last rises through 0 and how often in between; 0 of none. */
export const hertzOf = ({ rate, samples }: Sound): number => {
  const rises: Array<number> = []
  for (let at = 1; at < samples.length; at++) {
    const before = samples[at - 1] ?? 0
    const after = samples[at] ?? 0
    if (before < 0 && after >= 0) rises.push(at - after / (after - before))
  }
  const [first = 0] = rises
  const last = rises.at(-1) ?? 0
  return last === first ? 0 : (rises.length - 1) * rate / (last - first)
}
