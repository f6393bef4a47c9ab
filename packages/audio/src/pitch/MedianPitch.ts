import type { Audio } from "../Sound.js"

/** Approximate sample rate of the voice band. */
const sampleRate = 8_000

/** Number of samples in each average: it removes 2 and 4 kHz, and halves 1.2 kHz. */
const bucketWidth = 4

/** Low band of audio with the fundamental of vowels, at about 8,000 hertz or at its own rate if that is lower. */
export const voiceBand = ({ rate, samples }: Audio): Audio => {
  const step = Math.max(1, Math.floor(rate / sampleRate))
  const width = bucketWidth * step
  const means = new Float32Array(Math.max(0, Math.floor((samples.length - width) / step) + 1))
  for (let at = 0; at < means.length; at++) {
    let sum = 0
    for (let part = at * step; part < at * step + width; part++) sum += samples[part] ?? 0
    means[at] = sum / width
  }
  return { rate: rate / step, samples: means }
}

/** Range of the search, in hertz: voices of men, women and children, with a margin. */
const minPitch = 55
const maxPitch = 450

/** Largest aperiodicity of voiced audio; de Cheveigné and Kawahara (2002) use 0.1 to 0.2. */
const maxAperiodicity = 0.2

/** Tolerance by which a shorter lag may be worse than the best one and still be taken as the period. */
const tolerance = 0.07

/** Number of compared samples and largest lag at a sample rate. */
const yinSpan = (rate: number) => ({ length: Math.ceil(rate / 50), lags: Math.ceil(rate / minPitch) + 2 })

/** Sum of squared differences between samples and those one lag later. */
const difference = (
  samples: Float32Array,
  { length, lag, place }: { readonly place: number; readonly length: number; readonly lag: number }
) => {
  let sum = 0
  for (let at = place; at < place + length; at++) sum += ((samples[at] ?? 0) - (samples[at + lag] ?? 0)) ** 2
  return sum
}

/** Minimum of the parabola through the differences at a lag and its neighbours. */
const parabolaMinimum = (differences: Float64Array, lag: number): number => {
  const [before = 0, here = 0, after = 0] = differences.subarray(lag - 1, lag + 2)
  const bend = before - 2 * here + after
  return bend > 0 ? lag + (before - after) / (2 * bend) : lag
}

/**
 * Pitch at a position in hertz by the YIN algorithm (de Cheveigné and Kawahara 2002); null if the audio is unvoiced there.
 * The period is the first lag that is almost as good as the best one.
 */
const pitchAt = (
  samples: Float32Array,
  { place, rate }: { readonly place: number; readonly rate: number }
): number | null => {
  const { lags, length } = yinSpan(rate)
  const differences = new Float64Array(lags + 1)
  const shares = new Float64Array(lags + 1).fill(1)
  let sum = 0
  let best = 1
  for (let lag = 1; lag <= lags; lag++) {
    const here = difference(samples, { place, length, lag })
    sum += here
    differences[lag] = here
    shares[lag] = sum > 0 ? here * lag / sum : 1
    best = Math.min(best, shares[lag] ?? 1)
  }
  if (best > maxAperiodicity) return null
  let low = shares.findIndex((share) => share <= best + tolerance)
  while ((shares[low + 1] ?? 1) < (shares[low] ?? 1)) low += 1
  const pitch = rate / parabolaMinimum(differences, low)
  return pitch < minPitch || pitch > maxPitch ? null : pitch
}

/** Largest number of analysed positions, and smallest distance between them in seconds. */
const maxPositions = 400
const minStep = 0.01

/** Smallest number of voiced positions for a result. */
const minVoiced = 5

/** Smallest power of a voiced position relative to the loudest one: -30 dB. */
const minVolume = 1e-3

/** Smallest mean square of a voice: -60 dBFS. */
const audibleLevel = 1e-6

const powerAt = (samples: Float32Array, from: number, to: number): number => {
  let sum = 0
  for (let at = from; at < to; at++) sum += (samples[at] ?? 0) ** 2
  return sum / (to - from)
}

/**
 * Pitch of a voice: median of its fundamental frequency at voiced positions, in hertz, from 60 to 400; null if nothing is
 * voiced. At most 400 positions are analysed, so the cost of long audio is bounded.
 */
export const medianPitch = (audio: Audio): number | null => {
  const { rate, samples } = voiceBand(audio)
  const { lags, length } = yinSpan(rate)
  const step = Math.max(minStep * rate, samples.length / maxPositions)
  const places: Array<{ readonly place: number; readonly power: number }> = []
  for (let at = 0; at + length + lags < samples.length; at += step) {
    const place = Math.floor(at)
    places.push({ place, power: powerAt(samples, place, place + length) })
  }
  const audible = places.reduce((most, { power }) => Math.max(most, power * minVolume), audibleLevel)
  const pitches = places.flatMap(({ place, power }) => {
    const pitch = power < audible ? null : pitchAt(samples, { place, rate })
    return pitch === null ? [] : [pitch]
  }).toSorted((one, other) => one - other)
  return pitches.length < minVoiced ? null : pitches[Math.floor(pitches.length / 2)] ?? null
}
