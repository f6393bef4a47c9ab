import { AacError, type BitReader } from "./BitReader.js"

/** Samples per second by sampling frequency index (ISO/IEC 14496-3, table 1.18). */
export const sampleRates: ReadonlyArray<number> = [
  96_000,
  88_200,
  64_000,
  48_000,
  44_100,
  32_000,
  24_000,
  22_050,
  16_000,
  12_000,
  11_025,
  8_000,
  7_350
]

/** Scale factor bands of a window. */
export interface Bands {
  /** Start of each band, then the end of the last one. */
  readonly offsets: Uint16Array
  /** Number of bands, from the lowest, that temporal noise shaping may cover. */
  readonly tnsBands: number
}

/** Scale factor bands of long and of short windows. */
export interface BandsOfRate {
  readonly long: Bands
  readonly short: Bands
}

/** Bands from the lowest, as runs of bands of one width (ISO/IEC 14496-3, tables 4.129 to 4.143). */
const bandsOf = (tnsBands: number, ...widths: ReadonlyArray<readonly [width: number, count: number]>): Bands => {
  const offsets = [0]
  for (const [width, count] of widths) {
    for (let band = 0; band < count; band++) offsets.push((offsets.at(-1) ?? 0) + width)
  }
  return { offsets: Uint16Array.from(offsets), tnsBands }
}

const short96 = bandsOf(9, [4, 6], [8, 3], [16, 1], [28, 1], [36, 1])
const short64 = { ...short96, tnsBands: 10 }
const short48 = bandsOf(14, [4, 5], [8, 3], [12, 3], [16, 3])
const short24 = bandsOf(14, [4, 7], [8, 3], [12, 2], [16, 2], [20, 1])
const short16 = bandsOf(14, [4, 8], [8, 2], [12, 2], [16, 1], [20, 2])
const short8 = bandsOf(14, [4, 7], [8, 4], [12, 1], [16, 1], [20, 2])

const long96 = bandsOf(31, [4, 14], [8, 5], [12, 5], [16, 2], [24, 1], [28, 1], [36, 1], [44, 1], [64, 11])
const long64 = bandsOf(34, [4, 14], [8, 4], [12, 3], [16, 3], [20, 1], [24, 2], [28, 1], [36, 1], [40, 18])
const from48 = [[4, 10], [8, 7], [12, 4], [16, 2], [20, 2], [24, 2], [28, 2]] as const
const long48 = bandsOf(40, ...from48, [32, 19], [96, 1])
const long44 = { ...long48, tnsBands: 42 }
const long32 = bandsOf(51, ...from48, [32, 22])
const upTo40 = [[32, 1], [36, 2], [40, 1], [44, 1], [48, 1]] as const
const long24 = bandsOf(46, [4, 11], [8, 10], [12, 4], [16, 3], [20, 2], [24, 2], [28, 2], ...upTo40, [52, 2], [64, 5])
const upTo60 = [[44, 1], [48, 1], [52, 1], [56, 1], [60, 1]] as const
const upTo28 = [[8, 11], [12, 9], [16, 4], [20, 3], [24, 2], [28, 2]] as const
const long16 = bandsOf(42, ...upTo28, [32, 1], [36, 1], [40, 2], ...upTo60, [64, 3])
const upTo36 = [[12, 13], [16, 7], [20, 4], [24, 3], [28, 2], [32, 1], [36, 2], [40, 1]] as const
const long8 = bandsOf(39, ...upTo36, ...upTo60, [64, 1], [80, 1])

/** Bands at each of `sampleRates`. */
export const bandsOfRates: ReadonlyArray<BandsOfRate> = [
  { long: long96, short: short96 },
  { long: long96, short: short96 },
  { long: long64, short: short64 },
  { long: long48, short: short48 },
  { long: long44, short: short48 },
  { long: long32, short: short48 },
  { long: long24, short: short24 },
  { long: long24, short: short24 },
  { long: long16, short: short16 },
  { long: long16, short: short16 },
  { long: long16, short: short16 },
  { long: long8, short: short8 },
  { long: long8, short: short8 }
]

/** Kind of windows of a frame: a long one, one that leads to short ones, eight short ones, or one that leads back. */
export type WindowSequence = "long" | "start" | "short" | "stop"

const sequences: ReadonlyArray<WindowSequence> = ["long", "start", "short", "stop"]

/** Slope of a window: a sine, or derived from a Kaiser-Bessel window. */
export type WindowShape = "sine" | "kaiser"

/** Layout of the values of a frame. */
export interface WindowInfo {
  readonly sequence: WindowSequence
  readonly shape: WindowShape
  /** Number of values of one window. */
  readonly size: number
  readonly bands: Bands
  /** Number of bands that have values, from the lowest. */
  readonly maxBands: number
  /** Number of windows in each group; the windows of a group share their scale factors. */
  readonly groups: ReadonlyArray<number>
}

const readGroups = (bits: BitReader): ReadonlyArray<number> => {
  const groups = [1]
  for (let window = 1; window < 8; window++) {
    if (bits.flag()) groups.push((groups.pop() ?? 0) + 1)
    else groups.push(1)
  }
  return groups
}

/** Reads `ics_info` of ISO/IEC 14496-3, without prediction, which AAC-LC does not have. */
export const readWindowInfo = (bits: BitReader, { long, short }: BandsOfRate): WindowInfo => {
  bits.skip(1)
  const sequence = sequences[bits.read(2)] ?? "long"
  const shape = bits.flag() ? "kaiser" : "sine"
  const isShort = sequence === "short"
  const bands = isShort ? short : long
  const maxBands = bits.read(isShort ? 4 : 6)
  if (maxBands >= bands.offsets.length) throw new AacError("damaged")
  if (!isShort && bits.flag()) throw new AacError("unsupported")
  return { sequence, shape, size: isShort ? 128 : 1_024, bands, maxBands, groups: isShort ? readGroups(bits) : [1] }
}
