import { type Audio, durationOf, levelsOf } from "@trunkline/audio"

/**
 * A defect of a take:
 *
 * - `misread`: the words differ from the text.
 * - `too_long`, `too_short`: the duration does not fit the text.
 * - `clipped`: the level exceeds full scale.
 * - `silent`: there is hardly any audible signal.
 */
export type TakeFault = "misread" | "too_long" | "too_short" | "clipped" | "silent"

/** The result of a quality check. */
export interface TakeQuality {
  /** Defects of the take; empty for a good one. */
  readonly faults: ReadonlyArray<TakeFault>
  /** Character error rate of the transcript, 0 to 1; null without a transcriber. */
  readonly errorRate: number | null
}

/** True for a take without faults. */
export const isGood = ({ faults }: TakeQuality): boolean => faults.length === 0

/** True when another take has fewer faults, or as many faults and a lower error rate where both were transcribed. */
export const isBetter = (another: TakeQuality, one: TakeQuality): boolean =>
  another.faults.length < one.faults.length ||
  (another.faults.length === one.faults.length && another.errorRate !== null && one.errorRate !== null &&
    another.errorRate < one.errorRate)

/**
 * Letters, marks and digits per second. Three sentences in each of the twelve languages, spoken by espeak-ng 1.51, range
 * from 7.7 (Assamese) to 15.9 (English) with a mean of 11.8. That is far less spread than the bounds below allow, so one
 * figure serves all languages.
 */
const lettersPerSecond = 12

/** Bounds of a take's duration relative to the expected one. */
const durationRatio = { min: 0.3, max: 3 } as const

/** Seconds allowed beyond the upper bound: engines take half a second for a single letter, pauses included. */
const paddingSeconds = 1

/** Largest share of clipped samples; a larger share is audible as distortion. */
const maxClippedShare = 0.01

/** Largest share of silence. Two thirds of the audio of a single letter are silence around it. */
const maxSilentShare = 0.8

/** Lowest level of the audible parts in dBFS, 25 dB below telephone speech. */
const minLevel = -45

/** Defects that audio shows without being transcribed, given the number of letters of its text and its pace. */
export const audioFaults = (
  audio: Audio,
  { letters, pace }: { readonly letters: number; readonly pace: number }
): ReadonlyArray<TakeFault> => {
  const { clippedShare, gatedRms, silentShare } = levelsOf(audio)
  const seconds = durationOf(audio)
  const expectedSeconds = letters / lettersPerSecond / pace
  return [
    ...(seconds < durationRatio.min * expectedSeconds ? ["too_short" as const] : []),
    ...(seconds > durationRatio.max * expectedSeconds + paddingSeconds ? ["too_long" as const] : []),
    ...(clippedShare > maxClippedShare ? ["clipped" as const] : []),
    ...(silentShare > maxSilentShare || gatedRms < minLevel ? ["silent" as const] : [])
  ]
}
