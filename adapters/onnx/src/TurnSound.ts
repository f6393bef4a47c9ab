/** Time before the first voice of a turn that belongs to it, in milliseconds: a voice is found some frames after it begins. */
const leadMillis = 200

/** The latest sound of a call, of which the last turn is asked for. */
export interface TurnSound {
  readonly push: (samples: Float32Array) => void
  /** A turn begins with the latest frame. */
  readonly begin: () => void
  /** Copy of the sound since the beginning of the turn, at most as long as is kept. */
  readonly copy: () => Float32Array
}

/** Keeps the last seconds of a call at a rate in hertz, as 16-bit samples. */
export const makeTurnSound = (rate: number, seconds: number): TurnSound => {
  const samples = new Int16Array(Math.round(rate * seconds))
  let end = 0
  let start = 0
  return {
    push: (frame) => {
      for (const sample of frame) {
        samples[end++ % samples.length] = Math.round(32_767 * Math.max(-1, Math.min(1, sample)))
      }
    },
    begin: () => {
      start = Math.max(0, end - Math.round(rate * leadMillis / 1_000))
    },
    copy: () => {
      const from = Math.max(start, end - samples.length)
      return Float32Array.from(
        { length: end - from },
        (_, at) => (samples[(from + at) % samples.length] ?? 0) / 32_767
      )
    }
  }
}
