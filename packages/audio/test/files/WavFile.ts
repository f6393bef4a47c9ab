import { concatBytes } from "@trunkline/kernel"

/** A chunk of a WAV file; `size` overrides its stated size. */
export interface Chunk {
  readonly tag: string
  readonly bytes: Uint8Array
  readonly size?: number
}

const text = (letters: string) => new TextEncoder().encode(letters)

/** Encodes a number in little endian with `size` bytes. */
export const little = (number: number, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => Math.floor(number / 256 ** index) % 256)

const chunkBytes = ({ bytes, size, tag }: Chunk): Uint8Array =>
  concatBytes([text(tag), little(size ?? bytes.length, 4), bytes, new Uint8Array(bytes.length % 2)])

/** A WAV file of chunks. */
export const wavFile = (chunks: ReadonlyArray<Chunk>, size?: number): Uint8Array => {
  const body = concatBytes([text("WAVE"), ...chunks.map(chunkBytes)])
  return concatBytes([text("RIFF"), little(size ?? body.length, 4), body])
}

/** Contents of a `fmt ` chunk. */
export interface Fmt {
  readonly code: number
  readonly bits: number
  readonly channels?: number
  readonly rate?: number
  /** Format code in the extension of an extensible format. */
  readonly sub?: number
}

/** A `fmt ` chunk. */
export const fmt = ({ bits, channels = 1, code, rate = 8_000, sub }: Fmt): Chunk => {
  const align = channels * bits / 8
  const extension = sub === undefined
    ? []
    : [little(22, 2), little(bits, 2), little(0, 4), little(sub, 2), new Uint8Array(14)]
  return {
    tag: "fmt ",
    bytes: concatBytes([
      little(code, 2),
      little(channels, 2),
      little(rate, 4),
      little(rate * align, 4),
      little(align, 2),
      little(bits, 2),
      ...extension
    ])
  }
}

/** A `data` chunk. */
export const data = (bytes: Uint8Array, size?: number): Chunk =>
  size === undefined ? { tag: "data", bytes } : { tag: "data", bytes, size }
