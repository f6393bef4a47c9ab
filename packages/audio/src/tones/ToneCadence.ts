import type { FrameTone } from "./FrameTone.js"

/** Rhythm of a tone so far, in frames of 20 ms. */
export interface ToneCadence {
  /** True while the tone sounds, false in a pause after it, null before the first. */
  readonly isOn: boolean | null
  /** Length of the present tone or pause. */
  readonly length: number
  /** Frames at its end that are neither: where a tone begins or ends in the middle of a frame. */
  readonly edgeFrames: number
  /** Level of the tone, in dBFS. */
  readonly level: number
  /** Length of the tone before the present pause. */
  readonly on: number
  /** Lengths of the latest tone and pause; null before there were both. */
  readonly latest: { readonly on: number; readonly off: number } | null
  /** Number of tones with their pauses that were all alike. */
  readonly repeats: number
}

/** Rhythm before any tone. */
export const noCadence: ToneCadence = {
  isOn: null,
  length: 0,
  edgeFrames: 0,
  level: 0,
  on: 0,
  latest: null,
  repeats: 0
}

/** Range of the tones and pauses: 0.15 to 0.85 s. Those of ringing last 1 to 4 s, or are followed by such a pause. */
const minLength = 8
const maxLength = 42

/** Frames of other sound after which there is no rhythm. */
const maxBlur = 2

/** Distance in dB to the tone at which a pause may have sound, such as noise. */
const pauseBelow = 10

/** Frames by which one tone or pause differs from the next, at most. */
const maxSpread = 3

const isWithin = (length: number): boolean => length >= minLength && length <= maxLength

/** True for a tone and a pause of about the same length; those of ringing in pairs are 0.4 and 0.2 s. */
const isEven = (on: number, off: number): boolean =>
  isWithin(on) && isWithin(off) && Math.abs(on - off) <= 2 + 0.15 * (on + off)

const isAlike = ({ latest }: ToneCadence, on: number, off: number): boolean =>
  latest !== null && Math.abs(latest.on - on) <= maxSpread && Math.abs(latest.off - off) <= maxSpread

/** A pause is over, and the tone sounds again. */
const begin = (cadence: ToneCadence, level: number): ToneCadence => {
  const { length: off, on, repeats } = cadence
  const firstTone = { ...noCadence, isOn: true, length: 1, level }
  if (cadence.isOn === null || !isEven(on, off)) return firstTone
  return { ...firstTone, latest: { on, off }, repeats: isAlike(cadence, on, off) ? repeats + 1 : 1 }
}

/** Takes the next frame into the rhythm. */
export const stepCadence = (cadence: ToneCadence, { level, tone }: FrameTone): ToneCadence => {
  const { edgeFrames, isOn, length } = cadence
  if (tone === "signal") {
    return isOn === true ? { ...cadence, length: length + 1, edgeFrames: 0, level } : begin(cadence, level)
  }
  if (isOn === null) return cadence
  const isPause = tone === null && level <= cadence.level - pauseBelow
  if (!isPause && edgeFrames === maxBlur) return noCadence
  if (!isPause) return { ...cadence, length: length + 1, edgeFrames: edgeFrames + 1 }
  if (isOn) return { ...cadence, isOn: false, length: 1, edgeFrames: 0, on: length }
  return length > maxLength ? noCadence : { ...cadence, length: length + 1, edgeFrames: 0 }
}
