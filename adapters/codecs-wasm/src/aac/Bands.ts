/** Samples per second by their number in a header (ISO/IEC 14496-3, table 1.18). */
export const aacRates: ReadonlyArray<number> = [
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

/** Where the bands of a window begin, and the last one ends; and how many of them from below noise is shaped in. */
export interface Bands {
  readonly offsets: Uint16Array
  readonly shaped: number
}

/** The bands of the two kinds of windows. */
export interface BandsOfRate {
  readonly long: Bands
  readonly short: Bands
}

/** Widths of bands from below, each with how many bands in a row have it (ISO/IEC 14496-3, tables 4.129 to 4.143). */
const bandsOf = (shaped: number, ...widths: ReadonlyArray<readonly [width: number, times: number]>): Bands => {
  const offsets = [0]
  for (const [width, times] of widths) {
    for (let time = 0; time < times; time++) offsets.push((offsets.at(-1) ?? 0) + width)
  }
  return { offsets: Uint16Array.from(offsets), shaped }
}

const short96 = bandsOf(9, [4, 6], [8, 3], [16, 1], [28, 1], [36, 1])
const short64 = { ...short96, shaped: 10 }
const short48 = bandsOf(14, [4, 5], [8, 3], [12, 3], [16, 3])
const short24 = bandsOf(14, [4, 7], [8, 3], [12, 2], [16, 2], [20, 1])
const short16 = bandsOf(14, [4, 8], [8, 2], [12, 2], [16, 1], [20, 2])
const short8 = bandsOf(14, [4, 7], [8, 4], [12, 1], [16, 1], [20, 2])

const long96 = bandsOf(31, [4, 14], [8, 5], [12, 5], [16, 2], [24, 1], [28, 1], [36, 1], [44, 1], [64, 11])
const long64 = bandsOf(34, [4, 14], [8, 4], [12, 3], [16, 3], [20, 1], [24, 2], [28, 1], [36, 1], [40, 18])
const from48 = [[4, 10], [8, 7], [12, 4], [16, 2], [20, 2], [24, 2], [28, 2]] as const
const long48 = bandsOf(40, ...from48, [32, 19], [96, 1])
const long44 = { ...long48, shaped: 42 }
const long32 = bandsOf(51, ...from48, [32, 22])
const upTo40 = [[32, 1], [36, 2], [40, 1], [44, 1], [48, 1]] as const
const long24 = bandsOf(46, [4, 11], [8, 10], [12, 4], [16, 3], [20, 2], [24, 2], [28, 2], ...upTo40, [52, 2], [64, 5])
const upTo60 = [[44, 1], [48, 1], [52, 1], [56, 1], [60, 1]] as const
const upTo28 = [[8, 11], [12, 9], [16, 4], [20, 3], [24, 2], [28, 2]] as const
const long16 = bandsOf(42, ...upTo28, [32, 1], [36, 1], [40, 2], ...upTo60, [64, 3])
const upTo36 = [[12, 13], [16, 7], [20, 4], [24, 3], [28, 2], [32, 1], [36, 2], [40, 1]] as const
const long8 = bandsOf(39, ...upTo36, ...upTo60, [64, 1], [80, 1])

/** The bands at each of `aacRates`. */
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
