/**
 * The last part of a sound that comes in pieces, by its places in the whole. What lies before the first sample and
 * behind the last is silence.
 */
export class SampleWindow {
  /** The part, and more behind it that means nothing. */
  samples = new Float32Array(4_096)
  /** The place of the first of `samples` in the whole; below 0 for the silence before. */
  first: number
  /** The place behind the last sample that has come. */
  end = 0

  /** `before` is how much of the silence before is needed. */
  constructor(before: number) {
    this.first = -before
    this.#makeRoom(before)
  }

  /** Takes one more piece. */
  append(piece: Float32Array): void {
    this.#makeRoom(this.end - this.first + piece.length)
    this.samples.set(piece, this.end - this.first)
    this.end += piece.length
  }

  /** Takes so much silence. */
  appendSilence(length: number): void {
    this.#makeRoom(this.end - this.first + length)
    const from = this.end - this.first
    this.samples.fill(0, from, from + length)
    this.end += length
  }

  /** Forgets what is before a place. */
  forget(place: number): void {
    const to = Math.min(place, this.end)
    if (to - this.first < this.samples.length / 2) return
    this.samples.copyWithin(0, to - this.first, this.end - this.first)
    this.first = to
  }

  #makeRoom(length: number): void {
    if (length <= this.samples.length) return
    const samples = new Float32Array(length * 2)
    samples.set(this.samples)
    this.samples = samples
  }
}
