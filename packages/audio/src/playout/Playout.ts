/** A queue of sound that leaves in frames, with marks that tell how much of it has left. */
export interface Playout {
  /**
   * Appends samples. They are not copied, so they must not change afterwards. A mark is reported once all sound that was
   * appended before it and with it has left; numbers of marks may repeat.
   */
  readonly enqueue: (samples: Float32Array, mark?: number) => void
  /**
   * Fills exactly one frame, of any length, with the next samples, and its rest with silence. Returns the marks that this
   * frame completes, in order; the array is empty for most frames.
   */
  readonly next: (frame: Float32Array) => ReadonlyArray<number>
  /** Drops all sound that has not left, with its marks, and returns the position, which starts again at 0. */
  readonly clear: () => number
  /** Samples that have left of those appended since the last clear; silence in between does not count. */
  readonly position: number
  /** Milliseconds of sound that has not left. */
  readonly remainingMillis: number
}

/** Sound as it was appended. */
interface Piece {
  readonly samples: Float32Array
  readonly mark: number | undefined
}

const noMarks: ReadonlyArray<number> = []

/** Pieces that have left before the list is shortened. */
const spareSize = 64

/**
 * Makes an empty queue of sound at a rate in hertz. Appending and filling a frame take a time that depends on their own
 * samples only.
 *
 * @example
 * ```ts
 * const playout = makePlayout({ rate: 8_000 })
 * playout.enqueue(sentence, 1)
 * const marks = playout.next(frame) // [1] when the sentence has ended within this frame
 * const heard = playout.clear() // the caller interrupts
 * ```
 */
export const makePlayout = ({ rate }: { readonly rate: number }): Playout => {
  let pieces: Array<Piece> = []
  let first = 0
  /** Samples of the first piece that have left. */
  let offset = 0
  let position = 0
  let remaining = 0

  const dropFirst = (): void => {
    first += 1
    offset = 0
    if (first < spareSize || 2 * first < pieces.length) return
    pieces.splice(0, first)
    first = 0
  }

  return {
    enqueue: (samples, mark) => {
      if (samples.length === 0 && mark === undefined) return
      pieces.push({ samples, mark })
      remaining += samples.length
    },
    next: (frame) => {
      let marks: Array<number> | undefined
      let count = 0
      for (let piece = pieces[first]; piece !== undefined; piece = pieces[first]) {
        const { mark, samples } = piece
        const until = Math.min(samples.length, offset + frame.length - count)
        for (; offset < until; offset++, count++) frame[count] = samples[offset] ?? 0
        if (offset < samples.length) break
        if (mark !== undefined) (marks ??= []).push(mark)
        dropFirst()
      }
      frame.fill(0, count)
      position += count
      remaining -= count
      return marks ?? noMarks
    },
    clear: () => {
      const start = position
      pieces = []
      first =
        offset =
        position =
        remaining =
          0
      return start
    },
    get position() {
      return position
    },
    get remainingMillis() {
      return remaining * 1000 / rate
    }
  }
}
