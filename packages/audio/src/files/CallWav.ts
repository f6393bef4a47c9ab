import { mulaw } from "../pcm/SampleFormats.js"

/** Code of G.711 mu-law in WAV files. */
const mulawCode = 7

/** Code of silence in mu-law. */
export const mulawSilence = 0xFF

/** Size of the header that `callWavHeader` writes, in bytes. */
export const callWavHeaderBytes = 58

/** Bytes of one moment of a call: a mu-law code of each side. */
export const callWavFrameBytes = 2

/**
 * Encodes the header of a WAV file with two channels of G.711 mu-law at a rate in hertz. `bytes` is the number of bytes that
 * follow. Other formats than PCM have a longer `fmt ` chunk, and a chunk `fact` with the number of moments (RFC 2361).
 */
export const callWavHeader = ({ bytes, rate }: { readonly rate: number; readonly bytes: number }): Uint8Array => {
  const header = new Uint8Array(callWavHeaderBytes)
  header.set(new TextEncoder().encode("RIFF....WAVEfmt ......................fact........data...."))
  const view = new DataView(header.buffer)
  view.setUint32(4, callWavHeaderBytes - 8 + bytes, true)
  view.setUint32(16, 18, true)
  view.setUint16(20, mulawCode, true)
  view.setUint16(22, callWavFrameBytes, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * callWavFrameBytes, true)
  view.setUint16(32, callWavFrameBytes, true)
  view.setUint16(34, 8, true)
  view.setUint16(36, 0, true)
  view.setUint32(42, 4, true)
  view.setUint32(46, bytes / callWavFrameBytes, true)
  view.setUint32(54, bytes, true)
  return header
}

/** Encodes both sides of some moments of a call, turn by turn, into bytes from an index on. A side that is null is silent. */
export const writeCallFrames = (
  into: Uint8Array,
  at: number,
  { left, right }: { readonly left: Float32Array; readonly right: Float32Array | null }
): void => {
  mulaw.encodeInto(left, into, at, callWavFrameBytes)
  if (right !== null) return mulaw.encodeInto(right, into, at + 1, callWavFrameBytes)
  for (let index = 0; index < left.length; index++) into[at + 1 + index * callWavFrameBytes] = mulawSilence
}
