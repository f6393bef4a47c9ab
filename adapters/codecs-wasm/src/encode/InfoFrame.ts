import { mp3FrameOf } from "./Mp3Frame.js"

/** Samples that LAME puts before a sound. */
const delay = 576

/** The part that is Xing's, and the part that LAME added. */
const infoBytes = 120
const lameBytes = 36

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder & 1) === 0 ? remainder >> 1 : (remainder >> 1) ^ 0xA0_01
  return remainder
})

const crc16 = (bytes: Uint8Array): number => {
  let sum = 0
  for (let at = 0; at < bytes.length; at++) sum = (sum >> 8) ^ (crcTable[(sum ^ (bytes[at] ?? 0)) & 0xFF] ?? 0)
  return sum
}

/** How many frames an MP3 has. */
const framesOf = (mp3: Uint8Array): number => {
  let frames = 0
  for (let at = 0; at + 4 <= mp3.length; frames++) {
    const { bitrate, bytesAt, isPadded } = mp3FrameOf(mp3.subarray(at))
    at += Math.max(1, bytesAt(bitrate) + (isPadded ? 1 : 0))
  }
  return frames
}

/**
 * The silent frame that LAME puts before an MP3 of which it knows the end: how many frames and bytes follow, where they
 * are, and how much its ends are longer than those of the sound. Players show the true length by it, and play no more.
 */
export const infoFrameOf = (mp3: Uint8Array, samples: number): Uint8Array => {
  if (mp3.length < 4) return new Uint8Array()
  const first = mp3FrameOf(mp3)
  const infoAt = 4 + first.sideBytes
  const lameAt = infoAt + infoBytes
  const bitrate = first.bitrates.findIndex((_, number) => first.bytesAt(number) >= lameAt + lameBytes)
  const frame = new Uint8Array(first.bytesAt(bitrate))
  const view = new DataView(frame.buffer)
  const frames = framesOf(mp3)
  const padding = Math.max(0, frames * first.samples - samples - delay)
  frame.set(mp3.subarray(0, 4))
  frame[2] = (bitrate << 4) | ((frame[2] ?? 0) & 0x0C)
  frame.set(new TextEncoder().encode("Info"), infoAt)
  view.setUint32(infoAt + 4, 0b1111)
  view.setUint32(infoAt + 8, frames)
  view.setUint32(infoAt + 12, frame.length + mp3.length)
  for (let percent = 0; percent < 100; percent++) frame[infoAt + 16 + percent] = Math.floor(percent * 256 / 100)
  frame.set(new TextEncoder().encode("LAME3.100\u0001"), lameAt)
  view.setUint32(lameAt + 20, (first.bitrates[first.bitrate] ?? 0) * 2 ** 24 + (delay << 12) + padding)
  view.setUint32(lameAt + 28, frame.length + mp3.length)
  view.setUint16(lameAt + 32, crc16(mp3))
  view.setUint16(lameAt + 34, crc16(frame.subarray(0, lameAt + 34)))
  return frame
}
