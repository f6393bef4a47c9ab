import { frameMillis } from "@trunkline/audio"

/** Sound of the caller that another session must hear again: that of the open turn, or else of the last moment. */
export interface RecentFrames {
  readonly add: (samples: Float32Array, isTurnOpen: boolean) => void
  /** Removes and returns them. */
  readonly take: () => ReadonlyArray<Float32Array>
}

/** Frames before a turn, since a voice is found after it began. */
const framesBefore = 500 / frameMillis

/** Most frames of a turn: of a longer one the last part is heard again. */
const maxFrames = 30_000 / frameMillis

/** Makes an empty store of sound. */
export const makeRecentFrames = (): RecentFrames => {
  let frames: Array<Float32Array> = []
  return {
    add: (samples, isTurnOpen) => {
      frames.push(samples.slice())
      const most = isTurnOpen ? maxFrames : framesBefore
      if (frames.length > most) frames = frames.slice(-most)
    },
    take: () => {
      const takenSamples = frames
      frames = []
      return takenSamples
    }
  }
}
