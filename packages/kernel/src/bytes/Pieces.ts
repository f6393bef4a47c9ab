import { Stream } from "effect"

/** Bytes to begin a piece with: most files are small. */
const firstCapacity = 16_384

/** Collects bytes up to the size of a piece. */
class OpenPiece {
  readonly #size: number
  #bytes: Uint8Array = new Uint8Array(0)
  #length = 0

  constructor(size: number) {
    this.#size = size
  }

  /** Adds what there is still room for, and returns how many bytes that was. */
  add(bytes: Uint8Array): number {
    const part = bytes.subarray(0, this.#size - this.#length)
    const newLength = this.#length + part.length
    if (newLength > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.#size, Math.max(newLength, 2 * this.#bytes.length, firstCapacity)))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    this.#bytes.set(part, this.#length)
    this.#length = newLength
    return part.length
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  get isFull(): boolean {
    return this.#length === this.#size
  }

  /** Returns the piece, and begins the next one. */
  take(): Uint8Array {
    const piece = this.#bytes.subarray(0, this.#length)
    this.#bytes = new Uint8Array(0)
    this.#length = 0
    return piece
  }
}

/**
 * Cuts a stream of bytes into pieces of `size` bytes and a shorter last one, for storage that takes no others. No bytes make
 * no piece. Pieces are copies, so that the source may use its buffers again; no more than one is in memory at a time.
 *
 * @example
 * ```ts
 * inPieces(Stream.make(Uint8Array.of(1, 2), Uint8Array.of(3)), 2) // [1, 2], [3]
 * ```
 */
export const inPieces = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, size: number): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const open = new OpenPiece(size)

    function* piecesOf(part: Uint8Array) {
      for (let from = 0; from < part.length;) {
        from += open.add(part.subarray(from))
        if (open.isFull) yield open.take()
      }
    }

    const last = Stream.suspend(() => open.isEmpty ? Stream.empty : Stream.make(open.take()))
    return Stream.concat(Stream.flatMap(bytes, (part) => Stream.fromIteratorSucceed(piecesOf(part), 1)), last)
  })
