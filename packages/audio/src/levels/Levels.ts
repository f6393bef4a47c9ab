import type { Sound } from "../Sound.js"
import { decibels, framePowers } from "./FrameLevels.js"

/** How loud a sound is. Levels are in dBFS: 0 is a square wave at full scale, and none is below -120. */
export interface Levels {
  /** The loudest sample; 1 is full scale. */
  readonly peak: number
  /** Of all of it, silence included. */
  readonly rms: number
  /**
   * Of the parts that are heard: stretches of 400 ms that are above -70 and within 10 dB of the mean of all such. It is
   * gated like the loudness of ITU-R BS.1770, but not weighted by frequency, so it is no LUFS.
   */
  readonly gatedRms: number
  /** How many of its samples are cut off, as a part of all: those in flat runs of 3 or more near full scale. */
  readonly clippedShare: number
  /** How much of it is below -60, in stretches of 10 ms, as a part of all. */
  readonly silentShare: number
}

/** How many frames a stretch of the gated level has, and how far they are apart. */
const STRETCH = 40
const STEP = 10

/** What the gates let through: above -70 dBFS, and then what is above a tenth of the mean of that. */
const HEARD = 1e-7
const RELATIVE = 0.1

/** The mean square of a frame that counts as silent: -60 dBFS. */
const SILENT = 1e-6

/** Where samples are cut off: at 0.98 decoders of mu-law end, and 1 is full scale. */
const CUT_OFF = 0.98

/** How many samples a flat run has at least, and what it may rise by from one to the next: half a step of 16 bits. */
const FLAT_RUN = 3
const FLAT = 1 / 65_536

const meanOf = (numbers: Float64Array): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

const gatedPower = (powers: Float64Array): number => {
  const count = Math.max(1, Math.floor((powers.length - STRETCH) / STEP) + 1)
  const stretches = Float64Array.from(
    { length: count },
    (_, index) => meanOf(powers.subarray(index * STEP, index * STEP + STRETCH))
  )
  const heard = stretches.filter((power) => power > HEARD)
  const least = meanOf(heard) * RELATIVE
  return meanOf(heard.filter((power) => power >= least))
}

const clippedSamples = (samples: Float32Array): number => {
  let clipped = 0
  let run = 0
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at] ?? 0
    const isFlat = run > 0 && Math.abs(sample - (samples[at - 1] ?? 0)) <= FLAT
    run = Math.abs(sample) < CUT_OFF ? 0 : isFlat ? run + 1 : 1
    if (run === FLAT_RUN) clipped += FLAT_RUN
    else if (run > FLAT_RUN) clipped += 1
  }
  return clipped
}

/** Measures how loud a sound is. A sound of no samples is silent, and none of it is clipped. */
export const levelsOf = (sound: Sound): Levels => {
  const { samples } = sound
  const powers = framePowers(sound)
  let peak = 0
  let squares = 0
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at] ?? 0
    peak = Math.max(peak, Math.abs(sample))
    squares += sample * sample
  }
  const count = Math.max(1, samples.length)
  return {
    peak,
    rms: decibels(squares / count),
    gatedRms: decibels(gatedPower(powers)),
    clippedShare: clippedSamples(samples) / count,
    silentShare: powers.length === 0 ? 1 : powers.filter((power) => power < SILENT).length / powers.length
  }
}
