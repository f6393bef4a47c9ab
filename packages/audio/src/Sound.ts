/** Sound of one channel: samples from -1 to 1, so many a second. */
export interface Sound {
  /** Samples per second. */
  readonly rate: number
  readonly samples: Float32Array
}

/** Works on sound piece by piece, in order, and keeps what it needs of the pieces before. */
export interface SoundProcessor {
  /** What is ready after one more piece; often a little less or more than the piece. */
  readonly push: (samples: Float32Array) => Float32Array
  /** The rest. Nothing is pushed after it. */
  readonly end: () => Float32Array
}

/** How long a sound lasts, in seconds. */
export const secondsOf = ({ rate, samples }: Sound): number => samples.length / rate

/** Pieces in one. */
export const joined = (pieces: ReadonlyArray<Float32Array>): Float32Array => {
  const whole = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
