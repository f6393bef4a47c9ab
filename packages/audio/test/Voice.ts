import type { Audio } from "@trunkline/audio"

/** A synthetic voice: pulses through three formants, in syllables. */
export interface Voice {
  readonly rate: number
  readonly seconds: number
  /** Fundamental frequency in hertz. */
  readonly hertz: number
  /** Relative variation of the fundamental within a second. */
  readonly glide?: number
  /** Syllables per second; 0 is one long vowel. */
  readonly syllables?: number
}

/** Centre and bandwidth, in hertz, of the formants of an open vowel. */
const formants = [[650, 80], [1_150, 100], [2_600, 140]] as const

const resonate = (samples: Float64Array, rate: number, [centre, width]: readonly [number, number]): Float64Array => {
  const radius = Math.exp(-Math.PI * width / rate)
  const turn = 2 * radius * Math.cos(2 * Math.PI * centre / rate)
  const output = new Float64Array(samples.length)
  for (let at = 0; at < samples.length; at++) {
    output[at] = (samples[at] ?? 0) * (1 - radius) + turn * (output[at - 1] ?? 0) - radius ** 2 * (output[at - 2] ?? 0)
  }
  return output
}

/** Envelope of a syllable: a vowel that swells and fades in its first half, then near silence. */
const swell = (part: number): number => 0.01 + Math.sin(Math.PI * Math.min(1, part / 0.7)) ** 2

/** Synthesizes a voice whose loudest sample is 0.5. */
export const voiceOf = ({ glide = 0, hertz, rate, seconds, syllables = 0 }: Voice): Audio => {
  const pulses = new Float64Array(Math.round(seconds * rate))
  let phase = 0
  for (let at = 0; at < pulses.length; at++) {
    phase += hertz * (1 + glide * Math.sin(2 * Math.PI * at / rate)) / rate
    if (phase >= 1) {
      phase -= 1
      // A pulse between two samples is divided between them.
      const late = phase * rate / hertz
      pulses[at] = 1 - late
      if (at > 0) pulses[at - 1] = (pulses[at - 1] ?? 0) + late
    }
  }
  const [low, middle, high] = formants.map((formant) => resonate(pulses, rate, formant))
  const mixed = pulses.map((_, at) => {
    const loudness = syllables === 0 ? 1 : swell(at * syllables / rate % 1)
    return ((low?.[at] ?? 0) + (middle?.[at] ?? 0) + (high?.[at] ?? 0)) * loudness
  })
  const loudest = mixed.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-9)
  return { rate, samples: Float32Array.from(mixed, (sample) => sample / loudest / 2) }
}
