/** Kilobits per second by bitrate index, of MPEG-1, and of MPEG-2 and 2.5 (ISO/IEC 11172-3, 13818-3). */
const bitrates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
} as const

/** Samples per second by sampling rate index, in MPEG-1. */
const rates = [44_100, 48_000, 32_000] as const

/** Header of a frame of layer III. */
interface Mp3Frame {
  /** Bitrates of its MPEG version, in kilobits per second by index. */
  readonly bitrates: ReadonlyArray<number>
  /** Index of its bitrate. */
  readonly bitrateIndex: number
  /** Number of samples in the frame. */
  readonly samples: number
  /** Length of the side information of one channel, behind the header. */
  readonly sideBytes: number
  /** Length of a frame of a bitrate, without padding. */
  readonly bytesAt: (bitrateIndex: number) => number
  readonly isPadded: boolean
}

/** Parses the frame header that bytes begin with. */
const parseFrame = (bytes: Uint8Array): Mp3Frame => {
  const [, versionByte = 0, rateByte = 0] = bytes
  const version = (versionByte >> 3) & 3
  const isMpeg1 = version === 3
  const table = isMpeg1 ? bitrates.mpeg1 : bitrates.mpeg2
  const rate = (rates[(rateByte >> 2) & 3] ?? 1) / (isMpeg1 ? 1 : version === 2 ? 2 : 4)
  const samples = isMpeg1 ? 1_152 : 576
  return {
    bitrates: table,
    bitrateIndex: rateByte >> 4,
    samples,
    sideBytes: isMpeg1 ? 17 : 9,
    bytesAt: (bitrateIndex) => Math.floor(samples / 8 * 1_000 * (table[bitrateIndex] ?? 0) / rate),
    isPadded: (rateByte & 2) !== 0
  }
}

/** Number of samples that LAME adds at the start. */
const encoderDelay = 576

/** Length of the Xing part, and of the extension by LAME. */
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

/** Number of frames of an MP3. */
const countFrames = (mp3: Uint8Array): number => {
  let frames = 0
  for (let at = 0; at + 4 <= mp3.length; frames++) {
    const { bitrateIndex, bytesAt, isPadded } = parseFrame(mp3.subarray(at))
    at += Math.max(1, bytesAt(bitrateIndex) + (isPadded ? 1 : 0))
  }
  return frames
}

/**
 * Encodes the silent frame that LAME puts before an MP3 of known length: the number of frames and bytes that follow, where
 * they are, and the padding at both ends. By it, players show the exact length and skip the padding.
 */
export const mp3InfoFrame = (mp3: Uint8Array, samples: number): Uint8Array => {
  if (mp3.length < 4) return new Uint8Array()
  const first = parseFrame(mp3)
  const infoAt = 4 + first.sideBytes
  const lameAt = infoAt + infoBytes
  const bitrateIndex = first.bitrates.findIndex((_, index) => first.bytesAt(index) >= lameAt + lameBytes)
  const frame = new Uint8Array(first.bytesAt(bitrateIndex))
  const view = new DataView(frame.buffer)
  const frames = countFrames(mp3)
  const padding = Math.max(0, frames * first.samples - samples - encoderDelay)
  frame.set(mp3.subarray(0, 4))
  frame[2] = (bitrateIndex << 4) | ((frame[2] ?? 0) & 0x0C)
  frame.set(new TextEncoder().encode("Info"), infoAt)
  view.setUint32(infoAt + 4, 0b1111)
  view.setUint32(infoAt + 8, frames)
  view.setUint32(infoAt + 12, frame.length + mp3.length)
  for (let percent = 0; percent < 100; percent++) frame[infoAt + 16 + percent] = Math.floor(percent * 256 / 100)
  frame.set(new TextEncoder().encode("LAME3.100\u0001"), lameAt)
  view.setUint32(lameAt + 20, (first.bitrates[first.bitrateIndex] ?? 0) * 2 ** 24 + (encoderDelay << 12) + padding)
  view.setUint32(lameAt + 28, frame.length + mp3.length)
  view.setUint16(lameAt + 32, crc16(mp3))
  view.setUint16(lameAt + 34, crc16(frame.subarray(0, lameAt + 34)))
  return frame
}
