import type { AudioProcessor } from "./Sound.js"

/**
 * Sliding window over audio that arrives in chunks, addressed by positions in the whole audio. Before its first sample
 * and after its last there is silence.
 */
export class SampleWindow {
  /** Samples of the window, followed by unused space. */
  samples = new Float32Array(4_096)
  /** Position of the first element of `samples`; negative for the silence before the audio. */
  first: number
  /** Position after the last sample. */
  end = 0

  /** `before` is the length of the leading silence that is needed. */
  constructor(before: number) {
    this.first = -before
    this.#grow(before)
  }

  /** Appends a chunk. */
  append(chunk: Float32Array): void {
    this.#grow(this.end - this.first + chunk.length)
    this.samples.set(chunk, this.end - this.first)
    this.end += chunk.length
  }

  /** Appends silence. */
  appendSilence(length: number): void {
    this.#grow(this.end - this.first + length)
    const from = this.end - this.first
    this.samples.fill(0, from, from + length)
    this.end += length
  }

  /** Discards samples before a position. */
  discardBefore(position: number): void {
    const to = Math.min(position, this.end)
    if (to - this.first < this.samples.length / 2) return
    this.samples.copyWithin(0, to - this.first, this.end - this.first)
    this.first = to
  }

  #grow(length: number): void {
    if (length <= this.samples.length) return
    const samples = new Float32Array(length * 2)
    samples.set(this.samples)
    this.samples = samples
  }
}

/** A processor that returns its input. */
export const unchanged: AudioProcessor = { push: (samples) => samples.slice(), end: () => new Float32Array() }
