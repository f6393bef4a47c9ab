/** The length of the frame of some format that begins at a place, or 0 when none begins there. */
type FrameLength = (bytes: Uint8Array, at: number) => number

/** Whether one frame begins where bytes do, and another where it ends, or nothing. */
const isFramed = (bytes: Uint8Array, lengthAt: FrameLength): boolean => {
  const first = lengthAt(bytes, 0)
  return first > 0 && (first === bytes.length || lengthAt(bytes, first) > 0)
}

/** Kilobits per second of layer III, by the number in its header: of MPEG-1, and of MPEG-2 and 2.5. */
const bitrates = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
} as const

/** Samples per second by the number in the header, in the first version; halved in the second, quartered in 2.5. */
const rates = [44_100, 48_000, 32_000, 0] as const

const mp3Length: FrameLength = (bytes, at) => {
  const [sync = 0, kind = 0, speed = 0] = bytes.subarray(at, at + 3)
  const version = (kind >> 3) & 3
  if (sync !== 0xFF || (kind & 0xE6) !== 0xE2 || version === 1) return 0
  const isFirst = version === 3
  const bitrate = bitrates[isFirst ? "one" : "two"][speed >> 4] ?? 0
  const rate = (rates[(speed >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4)
  return bitrate === 0 || rate === 0
    ? 0
    : Math.floor((isFirst ? 144_000 : 72_000) * bitrate / rate) + ((speed >> 1) & 1)
}

const adtsLength: FrameLength = (bytes, at) => {
  const [sync = 0, kind = 0, , high = 0, middle = 0, low = 0] = bytes.subarray(at, at + 6)
  const length = ((high & 3) << 11) | (middle << 3) | (low >> 5)
  return sync === 0xFF && (kind & 0xF6) === 0xF0 && length >= 7 ? length : 0
}

/** Whether bytes begin with frames of MPEG layer III. */
export const isMp3 = (bytes: Uint8Array): boolean => isFramed(bytes, mp3Length)

/** Whether bytes begin with ADTS frames of AAC. */
export const isAdts = (bytes: Uint8Array): boolean => isFramed(bytes, adtsLength)
