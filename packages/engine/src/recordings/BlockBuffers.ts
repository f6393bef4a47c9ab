import { mulawSilence } from "@trunkline/audio"

/** Bytes of buffers that are kept for other blocks: those of 200 calls at 8 kHz that began together. */
const maxSpareBytes = 16 * 1024 * 1024

/** Buffers of blocks, which are used again: fresh memory costs more than the sound that is written into it. */
export interface BlockBuffers {
  /** A buffer of a size in bytes that holds silence. */
  readonly take: (size: number) => Uint8Array
  /** Takes a buffer back, or a part of it from its beginning, which nobody reads any more. */
  readonly release: (bytes: Uint8Array) => void
}

/** Makes a store of buffers, empty at first. */
export const makeBlockBuffers = (): BlockBuffers => {
  const spare = new Map<number, Array<Uint8Array>>()
  let spareBytes = 0
  const takeSpare = (size: number): Uint8Array | undefined => {
    const buffer = spare.get(size)?.pop()
    if (buffer !== undefined) spareBytes -= size
    return buffer
  }
  return {
    take: (size) => (takeSpare(size) ?? new Uint8Array(size)).fill(mulawSilence),
    release: ({ buffer }) => {
      const size = buffer.byteLength
      if (spareBytes + size > maxSpareBytes) return
      const sameSize = spare.get(size) ?? []
      spare.set(size, sameSize)
      sameSize.push(new Uint8Array(buffer))
      spareBytes += size
    }
  }
}
