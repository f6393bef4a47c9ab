import { frameMillis, isAudible } from "@trunkline/audio"

/** Frames of silence within an utterance that are a pause, in which the agent begins a clause anew. */
const pauseFrames = 15

/** Frames before and after the sound that are read with it. */
const margin = 10

/** Sound of the agent since a frame. */
interface AgentSound {
  readonly samples: ReadonlyArray<Float32Array>
  /** No pause is in it. */
  readonly isWhole: boolean
}

/** The sound of the agent that a caller has heard. */
export interface AgentEar {
  /** Takes the next 20 ms of sound. */
  readonly hear: (frame: Float32Array) => void
  /** Number of frames so far. */
  readonly frames: () => number
  /** The sound from the first to the last frame that is audible, since a frame. */
  readonly since: (frame: number) => AgentSound
}

/** Makes the ear of a caller who has heard nothing yet. It keeps frames with sound, and marks of silent ones. */
export const makeAgentEar = (rate: number): AgentEar => {
  const silence = new Float32Array(Math.round(rate * frameMillis / 1_000))
  const frames: Array<Float32Array> = []

  return {
    hear: (frame) => void frames.push(isAudible(frame) ? frame.slice() : silence),
    frames: () => frames.length,
    since: (frame) => {
      const first = frames.findIndex((samples, index) => index >= frame && samples !== silence)
      if (first < 0) return { samples: [], isWhole: true }
      const last = frames.findLastIndex((samples) => samples !== silence)
      let longest = 0
      for (let at = first, quiet = 0; at <= last; at++) {
        quiet = frames[at] === silence ? quiet + 1 : 0
        longest = Math.max(longest, quiet)
      }
      return {
        samples: frames.slice(Math.max(frame, first - margin), last + margin),
        isWhole: longest < pauseFrames
      }
    }
  }
}
