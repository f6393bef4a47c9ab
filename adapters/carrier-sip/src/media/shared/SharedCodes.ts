import { callWavFrameBytes, frameSamples, mulawSilence, writeCallFrames } from "@trunkline/audio"
import type { SoundTap } from "@trunkline/telephony"

/**
 * Codes of both sides of a call, which the media thread writes and the main thread reads, some of them at a time: what is done
 * for each frame costs more than the codes.
 */
export interface SharedCodes {
  /** Frames that were written so far, for which there is room for a year. */
  readonly control: Int32Array
  readonly bytes: Uint8Array
}

/** Frames of 20 ms for which there is room: 5 s. */
const maxFrames = 250

/** Bytes of a frame. */
const frameBytes = frameSamples * callWavFrameBytes

const silentFrame = new Uint8Array(frameBytes).fill(mulawSilence)

/** Makes the memory of the codes of a call. */
export const makeSharedCodes = (): SharedCodes => ({
  control: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  bytes: new Uint8Array(new SharedArrayBuffer(maxFrames * frameBytes))
})

/** Writes a frame of both sides, in the media thread; null for silence. */
export const writeCodes = (
  { bytes, control }: SharedCodes,
  sides: { readonly left: Float32Array; readonly right: Float32Array | null }
): void => {
  const count = Atomics.load(control, 0)
  writeCallFrames(bytes, count % maxFrames * frameBytes, sides)
  Atomics.store(control, 0, count + 1)
}

/** Reads the codes of a call, in the main thread. What was overwritten meanwhile is silence. */
export const tapOf = ({ bytes, control }: SharedCodes): SoundTap => {
  let next = 0
  return {
    read: (onCodes) => {
      const end = Atomics.load(control, 0)
      // The oldest place may be written just now.
      for (; next <= end - maxFrames; next++) onCodes(silentFrame)
      while (next < end) {
        const from = next % maxFrames
        const count = Math.min(end - next, maxFrames - from)
        onCodes(bytes.subarray(from * frameBytes, (from + count) * frameBytes))
        next += count
      }
    }
  }
}
