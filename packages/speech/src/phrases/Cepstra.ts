import { type Audio, concatSamples, makeResampler, speechSpans } from "@trunkline/audio"

/** Cepstra of a sound: one row of coefficients for each step of 10 ms, in one array. */
export interface Cepstra {
  readonly rows: number
  readonly values: Float32Array
}

/** Coefficients of a row: those from 1 on, so that loudness does not count. */
export const coefficientCount = 10

/** Sample rate of the analysis: that of telephone sound. */
const sampleRate = 8_000

/** Window, step and transform in samples: 25 ms, 10 ms, and the next power of two. */
const windowSize = 200
const stepSize = 80
const transformSize = 256

/** Filters on the mel scale, within the band of a telephone line, in hertz. */
const filterCount = 18
const filterBand = { from: 250, to: 3_500 }

/** Share of the mean energy of a filter that is added to it, so that noise 15 dB below speech changes little. */
const maskingShare = 0.03

const melOf = (hertz: number): number => 1_127 * Math.log(1 + hertz / 700)
const hertzOf = (mel: number): number => 700 * (Math.exp(mel / 1_127) - 1)

const window = Float64Array.from(
  { length: windowSize },
  (_, at) => 0.54 - 0.46 * Math.cos(2 * Math.PI * at / (windowSize - 1))
)

/** Factors by which the formants of voices differ: one is that of the same voice. */
export const tracts = [0.9, 1, 1.12, 1.25] as const

/** Weights of the filters by bin of the transform, for each tract: triangles that overlap by half. */
const filterBanks = new Map(tracts.map((tract) => [
  tract,
  Array.from({ length: filterCount }, (_, filter) => {
    const from = melOf(filterBand.from)
    const width = (melOf(filterBand.to) - from) / (filterCount + 1)
    const [low, middle, high] = [0, 1, 2].map((side) => tract * hertzOf(from + (filter + side) * width))
    return Float64Array.from({ length: transformSize / 2 }, (_, bin) => {
      const hertz = bin * sampleRate / transformSize
      const rise = (hertz - (low ?? 0)) / ((middle ?? 0) - (low ?? 0))
      const fall = ((high ?? 0) - hertz) / ((high ?? 0) - (middle ?? 0))
      return Math.max(0, Math.min(rise, fall))
    })
  })
]))

/** Weights of the cosine transform from filters to coefficients. */
const cosines = Array.from(
  { length: coefficientCount },
  (_, order) =>
    Float64Array.from({ length: filterCount }, (_, at) => Math.cos(Math.PI * (order + 1) * (at + 0.5) / filterCount))
)

/** Transforms in place, by the algorithm of Cooley and Tukey. */
const transform = (real: Float64Array, imaginary: Float64Array): void => {
  const size = real.length
  for (let at = 1, mirror = 0; at < size; at++) {
    let bit = size >> 1
    for (; (mirror & bit) !== 0; bit >>= 1) mirror ^= bit
    mirror ^= bit
    if (at >= mirror) continue
    const [one, other] = [real[at] ?? 0, imaginary[at] ?? 0]
    real[at] = real[mirror] ?? 0
    imaginary[at] = imaginary[mirror] ?? 0
    real[mirror] = one
    imaginary[mirror] = other
  }
  for (let length = 2; length <= size; length *= 2) {
    const half = length / 2
    for (let turn = 0; turn < half; turn++) {
      const [cosine, sine] = [Math.cos(2 * Math.PI * turn / length), -Math.sin(2 * Math.PI * turn / length)]
      for (let at = turn; at < size; at += length) {
        const [x, y] = [real[at + half] ?? 0, imaginary[at + half] ?? 0]
        const [re, im] = [x * cosine - y * sine, x * sine + y * cosine]
        real[at + half] = (real[at] ?? 0) - re
        imaginary[at + half] = (imaginary[at] ?? 0) - im
        real[at] = (real[at] ?? 0) + re
        imaginary[at] = (imaginary[at] ?? 0) + im
      }
    }
  }
}

const dot = (one: Float64Array, other: Float64Array): number => {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** Energies of the filters at each step. */
function* energies(samples: Float32Array, filters: ReadonlyArray<Float64Array>): Generator<Float64Array, void> {
  const [real, imaginary] = [new Float64Array(transformSize), new Float64Array(transformSize)]
  for (let from = 0; from + windowSize <= samples.length; from += stepSize) {
    real.fill(0)
    imaginary.fill(0)
    for (let at = 0; at < windowSize; at++) {
      const difference = (samples[from + at] ?? 0) - 0.95 * (samples[from + at - 1] ?? 0)
      real[at] = difference * (window[at] ?? 0)
    }
    transform(real, imaginary)
    const power = Float64Array.from(
      { length: transformSize / 2 },
      (_, bin) => (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2
    )
    yield Float64Array.from(filters, (filter) => dot(power, filter))
  }
}

/** Converts sound to 8 kHz. */
const toTelephone = ({ rate, samples }: Audio): Audio => {
  const { end, push } = makeResampler({ from: rate, to: sampleRate })
  return { rate: sampleRate, samples: concatSamples([push(samples), end()]) }
}

/** Lengths of a gap of lost frames, in samples: 10 to 60 ms. */
const gapRange = { min: 80, max: 480 }

/** Closes the gaps that lost frames have left: short runs of zeros. */
const closeGaps = (samples: Float32Array): Float32Array => {
  const output = new Float32Array(samples.length)
  let length = 0
  let zeros = 0
  for (const sample of samples) {
    if (sample === 0) {
      zeros += 1
      continue
    }
    if (zeros < gapRange.min || zeros > gapRange.max) length += zeros
    zeros = 0
    output[length] = sample
    length += 1
  }
  return output.subarray(0, length)
}

/** The part of a sound between the first and the last speech, at 8 kHz without gaps; nothing where nobody speaks. */
export const speechIn = (audio: Audio): Float32Array => {
  const { rate, samples } = toTelephone(audio)
  const sound = { rate, samples: closeGaps(samples) }
  const spans = speechSpans(sound)
  return sound.samples.subarray(spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0)
}

/**
 * Cepstra of sound at 8 kHz, without their mean over the sound, so that the line counts for less. Formants are divided by
 * the tract.
 */
export const cepstraOf = (samples: Float32Array, tract: typeof tracts[number] = 1): Cepstra => {
  const steps = [...energies(samples, filterBanks.get(tract) ?? [])]
  const mean = Float64Array.from(
    { length: filterCount },
    (_, filter) => steps.reduce((sum, step) => sum + (step[filter] ?? 0), 0) / Math.max(1, steps.length)
  )
  const values = new Float32Array(steps.length * coefficientCount)
  for (const [row, step] of steps.entries()) {
    const logs = step.map((energy, filter) => Math.log(energy + maskingShare * (mean[filter] ?? 0) + 1e-9))
    for (const [order, cosine] of cosines.entries()) values[row * coefficientCount + order] = dot(logs, cosine)
  }
  for (let order = 0; order < coefficientCount; order++) {
    let sum = 0
    for (let at = order; at < values.length; at += coefficientCount) sum += values[at] ?? 0
    for (let at = order; at < values.length; at += coefficientCount) {
      values[at] = (values[at] ?? 0) - sum / Math.max(1, steps.length)
    }
  }
  return { rows: steps.length, values }
}
