/** Mono audio in memory: samples from -1 to 1 at a sample rate. */
export interface Audio {
  /** Samples per second. */
  readonly rate: number
  readonly samples: Float32Array
}

/** Processes audio in consecutive chunks and keeps the state that it needs between them. */
export interface AudioProcessor {
  /** Adds a chunk and returns the output that is ready, often slightly less or more than the chunk. */
  readonly push: (samples: Float32Array) => Float32Array
  /** Returns the remaining output. No chunk can be added afterwards. */
  readonly end: () => Float32Array
}

/** Duration of audio in seconds. */
export const durationOf = ({ rate, samples }: Audio): number => samples.length / rate

/** Concatenates chunks of samples into one new array. */
export const concatSamples = (chunks: ReadonlyArray<Float32Array>): Float32Array => {
  const samples = new Float32Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    samples.set(chunk, offset)
    offset += chunk.length
  }
  return samples
}

/** Pads audio with silence at the end to at least `length` samples. */
export const padSilence = (audio: Audio, length: number): Audio => {
  if (audio.samples.length >= length) return audio
  const samples = new Float32Array(length)
  samples.set(audio.samples)
  return { rate: audio.rate, samples }
}
