import { frameMillis, isAudible } from "@trunkline/audio"

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
