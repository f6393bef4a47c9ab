import { toLinear16 } from "@trunkline/audio"

/** Samples collected for messages of equal length. */
export interface Packets {
  /** Adds samples; they are copied. */
  readonly push: (samples: Float32Array) => void
  /** Hands on what has been collected, even if it is less than a whole packet. */
  readonly flush: () => void
}

/** Collects samples and hands them on as 16 bit little-endian PCM, `size` samples at a time. */
export const makePackets = (size: number, onPacket: (bytes: Uint8Array) => void): Packets => {
  const collectedSamples = new Float32Array(size)
  let length = 0

  const flush = () => {
    if (length === 0) return
    const bytes = toLinear16(collectedSamples.subarray(0, length))
    length = 0
    onPacket(bytes)
  }

  return {
    push: (samples) => {
      for (let at = 0; at < samples.length;) {
        const part = samples.subarray(at, at + size - length)
        collectedSamples.set(part, length)
        length += part.length
        at += part.length
        if (length === size) flush()
      }
    },
    flush
  }
}
