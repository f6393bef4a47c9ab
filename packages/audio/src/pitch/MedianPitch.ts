import type { Sound } from "../Sound.js"
import { voiceBand } from "./VoiceBand.js"
import { pitchAt, yinSpan } from "./Yin.js"

/** How many places of a sound are looked at, at most, and how far they are apart, at least, in seconds. */
const MOST_PLACES = 400
const LEAST_STEP = 0.01

/** At how many places there must be a voice for a sound to have a pitch. */
const LEAST_VOICED = 5

/** How much less than at the loudest place the power may be at a voiced one: 30 dB. */
const SOFTEST = 1e-3

/** The least mean square of a voice: -60 dBFS. */
const AUDIBLE = 1e-6

const powerAt = (samples: Float32Array, from: number, to: number): number => {
  let sum = 0
  for (let at = from; at < to; at++) sum += (samples[at] ?? 0) ** 2
  return sum / (to - from)
}

/**
 * The pitch of a voice: the median of its fundamental frequency where it is voiced, in hertz; null when it is voiced
 * nowhere. It finds 60 to 400 Hz. Of a long sound, 400 places are looked at, so that the work is bounded.
 */
export const medianPitch = (sound: Sound): number | null => {
  const { rate, samples } = voiceBand(sound)
  const { lags, length } = yinSpan(rate)
  const step = Math.max(LEAST_STEP * rate, samples.length / MOST_PLACES)
  const places: Array<{ readonly place: number; readonly power: number }> = []
  for (let at = 0; at + length + lags < samples.length; at += step) {
    const place = Math.floor(at)
    places.push({ place, power: powerAt(samples, place, place + length) })
  }
  const audible = places.reduce((most, { power }) => Math.max(most, power * SOFTEST), AUDIBLE)
  const pitches = places.flatMap(({ place, power }) => {
    const pitch = power < audible ? null : pitchAt(samples, { place, rate })
    return pitch === null ? [] : [pitch]
  }).toSorted((one, other) => one - other)
  return pitches.length < LEAST_VOICED ? null : pitches[Math.floor(pitches.length / 2)] ?? null
}
