/** Kilobits per second by the number in a header, of MPEG-1 and of MPEG-2 and 2.5 (ISO/IEC 11172-3, 13818-3). */
const bitrates = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
} as const

/** Samples per second by the number in a header, in MPEG-1. */
const rates = [44_100, 48_000, 32_000] as const

/** What the header of a frame of layer III says. */
export interface Mp3Frame {
  /** The bitrates that its version has, in kilobits per second by their numbers. */
  readonly bitrates: ReadonlyArray<number>
  /** The number of its bitrate. */
  readonly bitrate: number
  /** How many samples it holds. */
  readonly samples: number
  /** How many bytes say how it is to be read, behind the header; of one channel. */
  readonly sideBytes: number
  /** How long a frame is that has the bitrate of a number, without padding. */
  readonly bytesAt: (bitrate: number) => number
  readonly isPadded: boolean
}

/** The header of the frame that bytes begin with. */
export const mp3FrameOf = (bytes: Uint8Array): Mp3Frame => {
  const [, kind = 0, speed = 0] = bytes
  const version = (kind >> 3) & 3
  const isFirst = version === 3
  const known = isFirst ? bitrates.one : bitrates.two
  const rate = (rates[(speed >> 2) & 3] ?? 1) / (isFirst ? 1 : version === 2 ? 2 : 4)
  const samples = isFirst ? 1_152 : 576
  return {
    bitrates: known,
    bitrate: speed >> 4,
    samples,
    sideBytes: isFirst ? 17 : 9,
    bytesAt: (bitrate) => Math.floor(samples / 8 * 1_000 * (known[bitrate] ?? 0) / rate),
    isPadded: (speed & 2) !== 0
  }
}
