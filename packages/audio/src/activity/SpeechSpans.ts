import { decibels, framePowers, frameRate } from "../levels/Levels.js"
import type { Audio } from "../Sound.js"

/** A section of audio, in samples; `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Frames around a frame in which the noise level is searched: speech falls to the noise within that time. */
const noiseReach = 75

/** Level above the noise at which speech begins, in dB. */
const aboveNoise = 10

/** Range below the loudest level in which speech begins, in dB, independent of the noise. */
const minBelowLoudest = 12
const maxBelowLoudest = 35

/** Distance in dB between the level at which speech begins and that at which it ends. */
const hysteresis = 4

/** Lowest loudest level of audio with speech, in dBFS. */
const audibleLevel = -55

/** Frames for which the loudest level must last: shorter peaks are clicks. */
const loudestFrames = 5

/** Minimum frames of speech, and frames of silence that end it: pauses between syllables are shorter. */
const speechFrames = 3
const silentFrames = 20

const lowestLevel = (levels: Float64Array, from: number, to: number): number =>
  levels.subarray(Math.max(0, from), to).reduce((least, level) => Math.min(least, level), Infinity)

/** Highest sustained level. */
const loudestOf = (levels: Float64Array): number => {
  const lasting = Math.min(loudestFrames, Math.max(1, levels.length))
  let loudest = -Infinity
  for (let at = 0; at + lasting <= levels.length; at++) {
    loudest = Math.max(loudest, lowestLevel(levels, at, at + lasting))
  }
  return loudest
}

/** Level at which speech begins at each frame: above the local noise, within a range below the loudest level. */
const thresholdsOf = (levels: Float64Array, loudest: number): Float64Array =>
  levels.map((_, at) => {
    const noise = lowestLevel(levels, at - noiseReach, at + noiseReach + 1)
    return Math.min(loudest - minBelowLoudest, Math.max(loudest - maxBelowLoudest, noise + aboveNoise))
  })

/** Spans of frames, each from its first to its last frame that is loud enough. */
const frameSpansOf = (levels: Float64Array, thresholds: Float64Array): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const above = (at: number): number => (levels[at] ?? 0) - (thresholds[at] ?? 0)
  const startBefore = (at: number): number => {
    let from = at
    while (from > (spans.at(-1)?.to ?? 0) && above(from - 1) >= -hysteresis) from -= 1
    return from
  }
  let loud = 0
  let from: number | null = null
  let to = 0
  for (let at = 0; at < levels.length; at++) {
    loud = above(at) >= 0 ? loud + 1 : 0
    if (from === null && loud === speechFrames) from = startBefore(at)
    if (from === null) continue
    if (above(at) >= -hysteresis) to = at + 1
    else if (at - to >= silentFrames) {
      spans.push({ from, to })
      from = null
    }
  }
  return from === null ? spans : [...spans, { from, to }]
}

/**
 * Detects speech and returns its spans in order. Detection uses energy alone: speech is at least 30 ms well above the
 * surrounding noise, which is tracked from second to second. Pauses below 200 ms belong to speech. Audio of constant
 * level, such as a tone, counts as speech if it is audible.
 *
 * Established voice activity detectors are WebAssembly modules that load asynchronously, while this package is
 * synchronous. They detect more in loud noise.
 */
export const speechSpans = (audio: Audio): ReadonlyArray<Span> => {
  const levels = framePowers(audio).map(decibels)
  const loudest = loudestOf(levels)
  if (loudest < audibleLevel) return []
  const place = (frame: number): number =>
    frame === levels.length ? audio.samples.length : Math.round(frame * audio.rate / frameRate)
  return frameSpansOf(levels, thresholdsOf(levels, loudest)).map(({ from, to }) => ({
    from: place(from),
    to: place(to)
  }))
}

/** Share of speech in audio, by `speechSpans`: 0 to 1. */
export const speechShare = (audio: Audio): number =>
  speechSpans(audio).reduce((sum, { from, to }) => sum + to - from, 0) / Math.max(1, audio.samples.length)

/** Start of the first speech in seconds; 0 if there is none. */
export const speechStart = (audio: Audio): number => (speechSpans(audio)[0]?.from ?? 0) / audio.rate

/** Silence kept at both ends, in seconds: enough for a soft consonant, too short to be noticed. */
const defaultMargin = 0.05

/** Trims silence before and after speech to a margin in seconds. Audio without speech is returned unchanged. */
export const trimSilence = (audio: Audio, { margin = defaultMargin }: { readonly margin?: number } = {}): Audio => {
  const spans = speechSpans(audio)
  const [first] = spans
  const last = spans.at(-1)
  if (first === undefined || last === undefined) return audio
  const { rate, samples } = audio
  const around = Math.round(margin * rate)
  return { rate, samples: samples.slice(Math.max(0, first.from - around), last.to + around) }
}
