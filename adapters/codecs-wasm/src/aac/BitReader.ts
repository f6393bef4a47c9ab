/** Input that cannot be decoded. The message says why, without any of the data. */
export class AacError extends Error {
  override readonly name = "AacError"
  /** `damaged`: no encoder writes this. `unsupported`: a kind of AAC other than AAC-LC. */
  readonly reason: "damaged" | "unsupported"
  constructor(reason: "damaged" | "unsupported") {
    super(
      reason === "damaged"
        ? "The AAC stream is damaged"
        : "The stream is a kind of AAC that is not supported: only AAC-LC is"
    )
    this.reason = reason
  }
}

/** Reads numbers of some bits, the most significant bit first. Throws `AacError` beyond the end. */
export class BitReader {
  readonly #bytes: Uint8Array
  /** Number of bits read. */
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Reads the next bits as a number; up to 24 of them. */
  read(count: number): number {
    const at = this.#at
    this.skip(count)
    const byte = at >> 3
    const bytes = this.#bytes
    const word = ((bytes[byte] ?? 0) << 24) | ((bytes[byte + 1] ?? 0) << 16) | ((bytes[byte + 2] ?? 0) << 8) |
      (bytes[byte + 3] ?? 0)
    return count === 0 ? 0 : (word << (at & 7)) >>> (32 - count)
  }

  /** Reads one bit as a flag. */
  flag(): boolean {
    return this.read(1) === 1
  }

  /** Skips some bits. */
  skip(count: number): void {
    this.#at += count
    if (this.#at > this.#bytes.length * 8) throw new AacError("damaged")
  }

  /** Skips to the next byte boundary. */
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }
}
