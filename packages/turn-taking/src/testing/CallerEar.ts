import { frameMillis } from "@trunkline/audio"

/** Least mean square of the samples of a frame with sound: -50 dBFS. */
const audiblePower = 1e-5

/** Pause after which sound is a turn of its own, in milliseconds. */
const dividingPause = 700

/** A stretch of the agent's sound. Frames count from the answer, without the time in which the call is held. */
export interface Stretch {
  /** First frame. */
  readonly first: number
  /** Frame after the last one with sound. */
  end: number
  /** Milliseconds from the answer to the first sound. */
  readonly from: number
  /** Milliseconds from the answer to the end of the last sound. */
  to: number
}

/** The sound of the agent that the caller has heard so far. */
export interface CallerEar {
  /** Takes the next 20 ms of sound. */
  readonly hear: (frame: Float32Array) => void
  /** Ends a stretch, since the caller has said a line: sound after the pause of this moment is a new one, however short the pause. */
  readonly divide: () => void
  /** Skips the milliseconds for which the call was held. */
  readonly skip: (millis: number) => void
  /** Number of frames so far. */
  readonly frames: number
  readonly stretches: ReadonlyArray<Stretch>
}

/** True when a part of some samples holds sound. */
export const isAudible = (samples: Float32Array, from = 0, to = samples.length): boolean => {
  let squares = 0
  for (let at = from; at < to; at++) squares += (samples[at] ?? 0) ** 2
  return squares > audiblePower * (to - from)
}

/** Samples without the silence before the first and after the last frame with sound. */
export const withoutSilence = (samples: Float32Array, rate: number): Float32Array => {
  const length = Math.round(rate * frameMillis / 1000)
  let from = 0
  let to = samples.length
  while (from < to && !isAudible(samples, from, Math.min(to, from + length))) from = Math.min(to, from + length)
  while (to > from && !isAudible(samples, Math.max(from, to - length), to)) to = Math.max(from, to - length)
  return samples.subarray(from, to)
}

/** Makes the ear of a caller who has heard nothing yet. */
export const makeCallerEar = (): CallerEar => {
  const stretches: Array<Stretch> = []
  let frames = 0
  let heldMillis = 0
  let isDivided = false

  return {
    hear: (frame) => {
      const first = frames++
      if (!isAudible(frame)) return
      // A frame is heard after it was played, so that no sound seems to come before what it answers.
      const from = frames * frameMillis + heldMillis
      const last = stretches.at(-1)
      const pause = last === undefined ? Infinity : first - last.end
      if (last === undefined || pause * frameMillis >= dividingPause || isDivided && pause > 0) {
        stretches.push({ first, end: frames, from, to: from + frameMillis })
      } else {
        last.end = frames
        last.to = from + frameMillis
      }
      isDivided = false
    },
    divide: () => {
      isDivided = true
    },
    skip: (millis) => {
      heldMillis += millis
    },
    get frames() {
      return frames
    },
    stretches
  }
}
