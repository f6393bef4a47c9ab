import { highBand, lowBand } from "./Bands.js"
import { bandFrame, highSignals, joinBands, lowSignals, makeFilterPast, splitBands } from "./MirrorFilters.js"
import { makeSubBand, runSubBand } from "./SubBand.js"

/** Encodes a stream of sound at 16,000 hertz with G.722. */
export interface G722Encoder {
  /**
   * Encodes samples from -1 to 1, an even number of them, into half as many bytes from a position on. Samples are rounded to
   * 16 bits and clamped; what is not a number is silent.
   */
  readonly encode: (samples: Float32Array, bytes: Uint8Array, at: number) => void
}

/** Decodes a stream of sound at 16,000 hertz with G.722. */
export interface G722Decoder {
  /** Decodes bytes of a range into twice as many samples from a position on. Any bytes can be decoded. */
  readonly decode: (bytes: Uint8Array, from: number, to: number, samples: Float32Array, at: number) => void
}

/**
 * Makes an encoder of ITU-T G.722 at 64 kbit/s (mode 1). A stream has one of its own, since it adapts to the sound: two bits
 * of each byte are the sub-band from 4 to 8 kHz, six the one below. It allocates nothing for a frame.
 *
 * @example
 * ```ts
 * const { encode } = makeG722Encoder()
 * encode(frame, packet, 12) // 320 samples, 20 ms, become 160 bytes
 * ```
 */
export const makeG722Encoder = (): G722Encoder => {
  const past = makeFilterPast()
  const low = makeSubBand(lowBand, true)
  const high = makeSubBand(highBand, true)
  return {
    encode: (samples, bytes, at) => {
      const total = samples.length >> 1
      for (let offset = 0; offset < total; offset += bandFrame) {
        const count = Math.min(bandFrame, total - offset)
        splitBands(past, samples, 2 * offset, count)
        runSubBand(low, lowSignals, count)
        runSubBand(high, highSignals, count)
        for (let index = 0; index < count; index++) {
          bytes[at + offset + index] = ((highSignals[index] ?? 0) << 6) | (lowSignals[index] ?? 0)
        }
      }
    }
  }
}

/**
 * Makes a decoder of ITU-T G.722 at 64 kbit/s (mode 1). A stream has one of its own. After bytes that were lost, it follows the
 * stream again within some milliseconds. It allocates nothing for a frame.
 */
export const makeG722Decoder = (): G722Decoder => {
  const past = makeFilterPast()
  const low = makeSubBand(lowBand, false)
  const high = makeSubBand(highBand, false)
  return {
    decode: (bytes, from, to, samples, at) => {
      for (let offset = from; offset < to; offset += bandFrame) {
        const count = Math.min(bandFrame, to - offset)
        for (let index = 0; index < count; index++) {
          const byte = bytes[offset + index] ?? 0
          lowSignals[index] = byte & 0x3F
          highSignals[index] = byte >> 6
        }
        runSubBand(low, lowSignals, count)
        runSubBand(high, highSignals, count)
        joinBands(past, samples, at + 2 * (offset - from), count)
      }
    }
  }
}
