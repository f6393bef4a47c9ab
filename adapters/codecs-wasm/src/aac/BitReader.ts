import { damagedAac } from "./AacFaults.js"

/** Reads numbers of some bits, the highest bit first. Throws `Unreadable` beyond the end. */
export class BitReader {
  readonly #bytes: Uint8Array
  /** How many bits were read. */
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The next bits as a number; up to 24 of them. */
  read(count: number): number {
    const at = this.#at
    this.skip(count)
    const byte = at >> 3
    const bytes = this.#bytes
    const word = ((bytes[byte] ?? 0) << 24) | ((bytes[byte + 1] ?? 0) << 16) | ((bytes[byte + 2] ?? 0) << 8) |
      (bytes[byte + 3] ?? 0)
    return count === 0 ? 0 : (word << (at & 7)) >>> (32 - count)
  }

  /** Whether the next bit is set. */
  flag(): boolean {
    return this.read(1) === 1
  }

  /** Passes over some bits. */
  skip(count: number): void {
    this.#at += count
    if (this.#at > this.#bytes.length * 8) throw damagedAac()
  }

  /** Passes over what is left of a byte. */
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }
}
