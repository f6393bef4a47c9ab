import { fromLinear16 } from "@trunkline/audio"
import { concatBytes } from "@trunkline/kernel"
import { Either } from "effect"
import { espeakRate } from "../engine/Engine.js"

/** Where the parts are in what espeak writes before the samples: 16 bit PCM of one channel, in chunks of no true size. */
const header = { bytes: 44, channels: 22, rate: 24, bits: 34 }

const tagOf = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

const isHeader = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return tagOf(bytes, 0) === "RIFF" && tagOf(bytes, 8) === "WAVE" && tagOf(bytes, 36) === "data" &&
    view.getUint16(header.channels, true) === 1 && view.getUint32(header.rate, true) === espeakRate &&
    view.getUint16(header.bits, true) === 16
}

/**
 * Reads what espeak writes to its output, in pieces of any length: a WAV header, then samples. The result gives the
 * samples that are whole after one more piece, or tells that it is no such sound.
 */
export const makeWavSamples = (): (piece: Uint8Array) => Either.Either<Float32Array, "NoWav"> => {
  let kept = new Uint8Array()
  let isBegun = false
  return (piece) => {
    let bytes = kept.length === 0 ? piece : concatBytes([kept, piece])
    if (!isBegun && bytes.length >= header.bytes) {
      if (!isHeader(bytes)) return Either.left("NoWav")
      bytes = bytes.subarray(header.bytes)
      isBegun = true
    }
    const whole = isBegun ? bytes.length - bytes.length % 2 : 0
    kept = bytes.slice(whole)
    return Either.right(fromLinear16(bytes.subarray(0, whole)))
  }
}
