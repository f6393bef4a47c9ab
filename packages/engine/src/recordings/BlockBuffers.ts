import { mulawSilence } from "@trunkline/audio"

/** Buffers of each size that are kept for other blocks. */
const maxSpare = 64

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
  return {
    take: (size) => (spare.get(size)?.pop() ?? new Uint8Array(size)).fill(mulawSilence),
    release: ({ buffer }) => {
      const whole = new Uint8Array(buffer)
      const same = spare.get(whole.length) ?? []
      if (same.length < maxSpare) same.push(whole)
      spare.set(whole.length, same)
    }
  }
}
