import { levelsOf, secondsOf, type Sound } from "@trunkline/audio"
import type { TakeFault } from "./Verdict.js"

/**
 * Letters, marks and digits a second. Three sentences in each of the twelve languages, spoken by espeak-ng 1.51, take from
 * 7.7 (Assamese) to 15.9 (English), 11.8 in the mean: far less apart than the bounds below, so that one figure does.
 */
const lettersPerSecond = 12

/** How much faster and slower than that may be (design: telephony 5). */
const [shortest, longest] = [0.3, 3]

/** Seconds that may be added to a text: a single letter takes an engine half a second, pauses included. */
const around = 1

/** Of speech with flat peaks, no more than this can go unheard; engines give none. */
const mostClipped = 0.01

/** Two thirds of a single letter are silence around it; with more than this there is hardly anything else. */
const mostSilent = 0.8

/** The softest that the heard parts may be, in dBFS: 25 below speech on a telephone. */
const softest = -45

/** What is wrong with the sound of so many letters at a pace, whatever they are. */
export const soundFaults = (
  sound: Sound,
  { letters, pace }: { readonly letters: number; readonly pace: number }
): ReadonlyArray<TakeFault> => {
  const { clippedShare, gatedRms, silentShare } = levelsOf(sound)
  const seconds = secondsOf(sound)
  const expected = letters / lettersPerSecond / pace
  return [
    ...(seconds < shortest * expected ? ["too_short" as const] : []),
    ...(seconds > longest * expected + around ? ["too_long" as const] : []),
    ...(clippedShare > mostClipped ? ["clipped" as const] : []),
    ...(silentShare > mostSilent || gatedRms < softest ? ["silent" as const] : [])
  ]
}
