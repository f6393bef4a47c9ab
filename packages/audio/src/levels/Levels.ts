import type { Audio } from "../Sound.js"

/** Frames per second. */
export const frameRate = 100

/** Lowest level that is reported, in dBFS; it is below the resolution of 16 bits. */
const silenceLevel = -120

/** Converts a mean square to dBFS: 0 for a full-scale square wave, -3 for a full-scale sine. */
export const decibels = (power: number): number => Math.max(silenceLevel, 10 * Math.log10(power))

/** Mean square of each 10 ms frame around its own mean, so that a DC offset does not count. A last partial frame is dropped. */
export const framePowers = ({ rate, samples }: Audio): Float64Array => {
  const length = rate / frameRate
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

/** Level measurements of audio. Levels are in dBFS: 0 is a full-scale square wave, and the minimum is -120. */
export interface Levels {
  /** Largest absolute sample; 1 is full scale. */
  readonly peak: number
  /** Level of the whole audio, silence included. */
  readonly rms: number
  /**
   * Level of the audible parts: blocks of 400 ms above -70 dBFS and within 10 dB of the mean of all such blocks. Gated
   * like the loudness of ITU-R BS.1770, but without frequency weighting, so it is not LUFS.
   */
  readonly gatedRms: number
  /** Share of clipped samples: those in flat runs of 3 or more near full scale. */
  readonly clippedShare: number
  /** Share of 10 ms frames below -60 dBFS. */
  readonly silentShare: number
}

/** Length of a block of the gated level, and distance between blocks, in frames. */
const blockSize = 40
const stepSize = 10

/** Gates: an absolute one at -70 dBFS, then a relative one at a tenth of the mean of the remaining blocks. */
const absoluteGate = 1e-7
const relativeGate = 0.1

/** Largest mean square of a silent frame: -60 dBFS. */
const silentMark = 1e-6

/** Level at which samples count as clipped: mu-law decoders reach 0.98, and 1 is full scale. */
const clippingLevel = 0.98

/** Shortest flat run in samples, and largest change within it: half a step of 16 bits. */
const flatRun = 3
const flatChange = 1 / 65_536

const meanOf = (numbers: Float64Array): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

const gatedPower = (powers: Float64Array): number => {
  const count = Math.max(1, Math.floor((powers.length - blockSize) / stepSize) + 1)
  const blocks = Float64Array.from(
    { length: count },
    (_, index) => meanOf(powers.subarray(index * stepSize, index * stepSize + blockSize))
  )
  const audible = blocks.filter((power) => power > absoluteGate)
  const threshold = meanOf(audible) * relativeGate
  return meanOf(audible.filter((power) => power >= threshold))
}

const clippedSamples = (samples: Float32Array): number => {
  let clips = 0
  let run = 0
  for (let at = 0; at < samples.length; at++) {
    const sample = samples[at] ?? 0
    const isFlat = run > 0 && Math.abs(sample - (samples[at - 1] ?? 0)) <= flatChange
    run = Math.abs(sample) < clippingLevel ? 0 : isFlat ? run + 1 : 1
    if (run === flatRun) clips += flatRun
    else if (run > flatRun) clips += 1
  }
  return clips
}

/**
 * Measures the levels of audio. Audio without samples is silent and not clipped.
 *
 * @example
 * ```ts
 * const { clippedShare, gatedRms } = levelsOf(audio)
 * ```
 */
export const levelsOf = (audio: Audio): Levels => {
  const { samples } = audio
  const powers = framePowers(audio)
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
    silentShare: powers.length === 0 ? 1 : powers.filter((power) => power < silentMark).length / powers.length
  }
}
