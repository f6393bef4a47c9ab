import { callWavFrameBytes, writeCallFrames } from "@trunkline/audio"
import type { BlockBuffers } from "./BlockBuffers.js"

/** Seconds of sound in a block, which a crash may lose. */
const blockSeconds = 5

/** Sound of both sides, encoded as the data of a WAV file. */
export interface SoundBlock {
  readonly bytes: Uint8Array
  /** False for silence only. */
  readonly hasSound: boolean
}

/** Encodes the sound of a call into blocks. */
export interface SoundBlocks {
  /** Adds both sides of some moments, null for silence; silence in their place where they must not be kept. */
  readonly add: (caller: Float32Array, agent: Float32Array | null, isKept: boolean) => void
  /** Adds moments whose mu-law codes of both sides, in turn, are at hand. */
  readonly addCodes: (codes: Uint8Array, isKept: boolean) => void
  /** Adds silence, for moments of which the line gave no sound. */
  readonly addSilence: (moments: number) => void
  /** Gives the block that is not full, unless it is empty. */
  readonly flush: () => void
  /** Moments so far. */
  readonly moments: () => number
}

/** Options of the blocks of a call. */
interface BlockOptions {
  /** Rate of its sound in hertz. */
  readonly rate: number
  readonly buffers: BlockBuffers
  /** Length of the first block as a share of the others, above 0; 1 by default. */
  readonly firstShare?: number
}

/** Makes an encoder that gives each full block to `onBlock`. It holds no more than one block. */
export const makeSoundBlocks = (
  { buffers, firstShare = 1, rate }: BlockOptions,
  onBlock: (block: SoundBlock) => void
): SoundBlocks => {
  const blockBytes = rate * blockSeconds * callWavFrameBytes
  let maxBytes = Math.ceil(rate * blockSeconds * firstShare) * callWavFrameBytes
  let bytes = buffers.take(blockBytes)
  let length = 0
  let hasSound = false
  let moments = 0

  const give = (): void => {
    const block = { bytes: bytes.subarray(0, length), hasSound }
    bytes = buffers.take(blockBytes)
    maxBytes = blockBytes
    length = 0
    hasSound = false
    onBlock(block)
  }

  /** Goes on by some moments, for which there is room, and gives the block when it is full. */
  const advance = (count: number): void => {
    length += count * callWavFrameBytes
    moments += count
    if (length >= maxBytes) give()
  }

  const addSilence = (count: number): void => {
    for (let left = count; left > 0;) {
      const part = Math.min(left, (maxBytes - length) / callWavFrameBytes)
      advance(part)
      left -= part
    }
  }

  /** Writes moments in as many parts as the end of a block asks for. */
  const addParts = (count: number, write: (from: number, to: number) => void): void => {
    for (let at = 0; at < count;) {
      const part = Math.min(count - at, (maxBytes - length) / callWavFrameBytes)
      write(at, at + part)
      hasSound = true
      advance(part)
      at += part
    }
  }

  return {
    add: (caller, agent, isKept) => {
      if (!isKept) return addSilence(caller.length)
      addParts(caller.length, (from, to) => {
        const isWhole = to - from === caller.length
        const left = isWhole ? caller : caller.subarray(from, to)
        const right = isWhole || agent === null ? agent : agent.subarray(from, to)
        writeCallFrames(bytes, length, { left, right })
      })
    },
    addCodes: (codes, isKept) => {
      const count = codes.length / callWavFrameBytes
      if (!isKept) return addSilence(count)
      addParts(count, (from, to) => bytes.set(codes.subarray(from * callWavFrameBytes, to * callWavFrameBytes), length))
    },
    addSilence,
    flush: () => {
      if (length > 0) give()
    },
    moments: () => moments
  }
}
