import { frameMillis } from "../Frame.js"
import { decibels } from "../levels/Levels.js"

/** A tone of one frequency that goes on. */
export interface SteadyTone {
  /** Mean frequency so far, in hertz. */
  readonly frequency: number
  /** Length so far, in milliseconds. */
  readonly millis: number
  /** True once it is over: the frame was another sound. */
  readonly isOver: boolean
}

/** A detector of single tones, such as the beep of an answering machine. It keeps the state of one stream. */
export interface SteadyToneDetector {
  /** Takes the next frame of 20 ms; returns the tone that sounds, or that ended with it, and null for any other sound. */
  readonly push: (frame: Float32Array, isConcealed?: boolean) => SteadyTone | null
}

/** Frequencies of beeps and of fax machines, in hertz: the hum of a voice is below them. */
const minFrequency = 350
const maxFrequency = 2_600

/** Share of the power of a frame that one frequency has. Vowels have less, and keep their frequency for less than 100 ms. */
const minShare = 0.82

/** Level in dBFS below which nothing is a tone. */
const audibleLevel = -42

/** Share by which the frequency of a frame differs from the mean, at most. */
const maxDrift = 0.035

/** Frames of another sound within a tone, such as a click. */
const maxBlur = 1

/** Frequency by the crossings of zero of a frame, between the first and the last of them; 0 with fewer than three. */
const crossingFrequency = (frame: Float32Array, rate: number): number => {
  let [count, first, last] = [0, 0, 0]
  let before = frame[0] ?? 0
  for (let at = 1; at < frame.length; at++) {
    const sample = frame[at] ?? 0
    if ((before < 0) !== (sample < 0)) {
      last = at - 1 + before / (before - sample)
      if (count === 0) first = last
      count += 1
    }
    before = sample
  }
  return count < 3 ? 0 : (count - 1) * rate / (2 * (last - first))
}

/** Mean square of a frame at a frequency, by the algorithm of Goertzel. */
const powerAt = (frame: Float32Array, frequency: number, rate: number): number => {
  const turn = 2 * Math.cos(2 * Math.PI * frequency / rate)
  let [now, earlier] = [0, 0]
  for (let at = 0; at < frame.length; at++) {
    const next = turn * now - earlier + (frame[at] ?? 0)
    earlier = now
    now = next
  }
  return (now * now + earlier * earlier - turn * now * earlier) * 2 / frame.length ** 2
}

/** Frequency of a frame that is one tone; null for any other. */
const frequencyOf = (frame: Float32Array, rate: number): number | null => {
  let squares = 0
  for (let at = 0; at < frame.length; at++) squares += (frame[at] ?? 0) ** 2
  const power = squares / frame.length
  if (decibels(power) < audibleLevel) return null
  const frequency = crossingFrequency(frame, rate)
  if (frequency < minFrequency || frequency > maxFrequency) return null
  return powerAt(frame, frequency, rate) >= minShare * power ? frequency : null
}

/**
 * Makes a detector of single steady tones of 350 to 2,600 Hz, for sound at a rate in hertz. The frequency is that of the
 * crossings of zero, and counts where the algorithm of Goertzel finds nearly all power there.
 *
 * @example
 * ```ts
 * const tones = makeSteadyToneDetector({ rate: 8_000 })
 * for (const frame of frames) if ((tones.push(frame)?.millis ?? 0) >= 160) leaveMessage()
 * ```
 */
export const makeSteadyToneDetector = ({ rate }: { readonly rate: number }): SteadyToneDetector => {
  let frequency = 0
  let frames = 0
  let blur = 0

  const begin = (next: number | null): void => {
    frequency = next ?? 0
    frames = next === null ? 0 : 1
    blur = 0
  }

  const tone = (isOver: boolean): SteadyTone => ({ frequency, millis: frames * frameMillis, isOver })

  return {
    push: (frame, isConcealed = false) => {
      const next = isConcealed ? null : frequencyOf(frame, rate)
      if (frames === 0) {
        begin(next)
        return frames === 0 ? null : tone(false)
      }
      if (next !== null && Math.abs(next - frequency) <= maxDrift * frequency) {
        frequency += (next - frequency) / (frames + 1)
        frames += 1 + blur
        blur = 0
        return tone(false)
      }
      if (blur < maxBlur) {
        blur += 1
        return tone(false)
      }
      const endedTone = tone(true)
      begin(next)
      return endedTone
    }
  }
}
