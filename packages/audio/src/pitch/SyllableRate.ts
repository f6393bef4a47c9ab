import { speechSpans } from "../activity/SpeechSpans.js"
import { decibels, framePowers } from "../levels/FrameLevels.js"
import type { Sound } from "../Sound.js"
import { voiceBand } from "./VoiceBand.js"

/** How many frames of 10 ms loudness is averaged over, twice: shorter than a syllable, longer than a period. */
const SMOOTHED = 5

/** How far below the loudest syllable the softest is, in dB, and how far loudness falls between two. */
const SOFTEST = 25
const DIP = 2

const smoothed = (powers: Float64Array): Float64Array =>
  powers.map((_, at) => {
    const around = powers.subarray(Math.max(0, at - (SMOOTHED >> 1)), at + (SMOOTHED >> 1) + 1)
    return around.reduce((sum, power) => sum + power, 0) / around.length
  })

/** How often levels rise to a peak that they have fallen from before they rise again. */
const peaksOf = (levels: Float64Array, softest: number): number => {
  let peaks = 0
  let isRising = true
  let turn = -Infinity
  for (const level of levels) {
    if (isRising ? level > turn : level < turn) turn = level
    else if (isRising && level < turn - DIP) {
      if (turn > softest) peaks += 1
      isRising = false
      turn = level
    } else if (!isRising && level > turn + DIP) {
      isRising = true
      turn = level
    }
  }
  return isRising && turn > softest ? peaks + 1 : peaks
}

/**
 * About how many syllables are spoken in a second of speech, pauses left out; null when nobody speaks. It counts how
 * often vowels make a sound louder. Of espeak's English it is right to a tenth up to 6 a second, and too few beyond.
 */
export const syllableRate = (sound: Sound): number | null => {
  const spoken = speechSpans(sound).reduce((sum, { from, to }) => sum + to - from, 0) / sound.rate
  if (spoken === 0) return null
  const levels = smoothed(smoothed(framePowers(voiceBand(sound)))).map(decibels)
  const loudest = levels.reduce((most, level) => Math.max(most, level), -Infinity)
  return peaksOf(levels, loudest - SOFTEST) / spoken
}
