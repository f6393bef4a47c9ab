import { decibels, FRAME_RATE, framePowers } from "../levels/FrameLevels.js"
import type { Sound } from "../Sound.js"

/** Part of a sound, from one sample to before another. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** How far around a frame the noise is looked for, in frames: a speaker's voice falls to it within that. */
const NOISE_REACH = 75

/** How far above the noise speech begins, in dB. */
const ABOVE_NOISE = 10

/** The range below the loudest in which speech begins, in dB, whatever the noise is. */
const LEAST_BELOW_LOUDEST = 12
const MOST_BELOW_LOUDEST = 35

/** How far below its beginning speech ends, in dB. */
const HYSTERESIS = 4

/** How loud the loudest must be for there to be speech at all, in dBFS. */
const AUDIBLE = -55

/** How many frames the loudest must last: less is a click. */
const LOUDEST_FRAMES = 5

/** How many frames speech lasts at least, and how many of silence end it: pauses between syllables are shorter. */
const SPEECH_FRAMES = 3
const SILENT_FRAMES = 20

const least = (levels: Float64Array, from: number, to: number): number =>
  levels.subarray(Math.max(0, from), to).reduce((least, level) => Math.min(least, level), Infinity)

/** The highest level that lasts. */
const loudestOf = (levels: Float64Array): number => {
  const lasting = Math.min(LOUDEST_FRAMES, Math.max(1, levels.length))
  let loudest = -Infinity
  for (let at = 0; at + lasting <= levels.length; at++) {
    loudest = Math.max(loudest, least(levels, at, at + lasting))
  }
  return loudest
}

/** How loud speech begins at each frame: so far above the noise around it, within a range below the loudest. */
const openingsOf = (levels: Float64Array, loudest: number): Float64Array =>
  levels.map((_, at) => {
    const noise = least(levels, at - NOISE_REACH, at + NOISE_REACH + 1)
    return Math.min(loudest - LEAST_BELOW_LOUDEST, Math.max(loudest - MOST_BELOW_LOUDEST, noise + ABOVE_NOISE))
  })

/** Spans of frames, each from its first frame that is loud enough to its last. */
const frameSpansOf = (levels: Float64Array, openings: Float64Array): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const above = (at: number): number => (levels[at] ?? 0) - (openings[at] ?? 0)
  const startBefore = (at: number): number => {
    let from = at
    while (from > (spans.at(-1)?.to ?? 0) && above(from - 1) >= -HYSTERESIS) from -= 1
    return from
  }
  let loud = 0
  let from: number | null = null
  let to = 0
  for (let at = 0; at < levels.length; at++) {
    loud = above(at) >= 0 ? loud + 1 : 0
    if (from === null && loud === SPEECH_FRAMES) from = startBefore(at)
    if (from === null) continue
    if (above(at) >= -HYSTERESIS) to = at + 1
    else if (at - to >= SILENT_FRAMES) {
      spans.push({ from, to })
      from = null
    }
  }
  return from === null ? spans : [...spans, { from, to }]
}

/**
 * Where somebody speaks, in order. It goes by energy alone: by what is well above the noise around it, which it follows
 * from second to second, and lasts 30 ms or more; pauses below 200 ms are part of speech. What is as loud all the time,
 * such as a tone, counts as speech when it can be heard at all.
 *
 * It is our own because those of others are WebAssembly, which must be loaded first, and this package is pure and
 * synchronous. They hear more in loud noise.
 */
export const speechSpans = (sound: Sound): ReadonlyArray<Span> => {
  const levels = framePowers(sound).map(decibels)
  const loudest = loudestOf(levels)
  if (loudest < AUDIBLE) return []
  const place = (frame: number): number =>
    frame === levels.length ? sound.samples.length : Math.round(frame * sound.rate / FRAME_RATE)
  return frameSpansOf(levels, openingsOf(levels, loudest)).map(({ from, to }) => ({ from: place(from), to: place(to) }))
}

/** How much of a sound is speech, as `speechSpans` finds it: from 0 to 1. */
export const speechShare = (sound: Sound): number =>
  speechSpans(sound).reduce((sum, { from, to }) => sum + to - from, 0) / Math.max(1, sound.samples.length)

/** When somebody begins to speak, in seconds; 0 when nobody does. */
export const speechStart = (sound: Sound): number => (speechSpans(sound)[0]?.from ?? 0) / sound.rate
