import { AacError, type BitReader } from "./BitReader.js"
import { hasValues, readSymbol, specialBooks } from "./Codebooks.js"
import type { WindowInfo } from "./Windows.js"

/** Pseudo-random numbers from -1 to 1, the same for every stream. */
export type NoiseGenerator = () => number

export const makeNoiseGenerator = (): NoiseGenerator => {
  let seed = 1
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    return seed / 2 ** 31
  }
}

/** Fills values with noise whose energy is the square of `gain`. */
const fillWithNoise = (values: Float32Array, noise: NoiseGenerator, gain: number): void => {
  let energy = 0
  for (let at = 0; at < values.length; at++) {
    const value = noise()
    values[at] = value
    energy += value * value
  }
  const scale = gain / Math.sqrt(energy)
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) * scale
}

/** A value that is larger than its codebook can hold. */
export interface Pulse {
  /** Index of the value. */
  readonly at: number
  /** Amount to add to its magnitude. */
  readonly amplitude: number
}

/** Side information of a spectrum, which comes before its values. */
export interface SideInfo {
  readonly info: WindowInfo
  readonly books: Uint8Array
  readonly scaleFactors: Int16Array
  readonly pulses: ReadonlyArray<Pulse>
  readonly noise: NoiseGenerator
}

/** Values of one band in one window. */
export interface BandRange {
  /** Number of the band, counted through all window groups. */
  readonly band: number
  readonly from: number
  readonly to: number
}

/** Band ranges of a block in bitstream order: by group, by band, and by window in each band. */
export const bandRanges = ({ bands, groups, maxBands, size }: WindowInfo): ReadonlyArray<BandRange> => {
  const { offsets } = bands
  const ranges: Array<BandRange> = []
  let first = 0
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < maxBands; band++) {
      for (let window = first; window < first + windows; window++) {
        const start = window * size
        const [from = 0, to = 0] = offsets.subarray(band, band + 2)
        ranges.push({ band: group * maxBands + band, from: start + from, to: start + to })
      }
    }
    first += windows
  }
  return ranges
}

/** Layout of the values in a symbol: `count` digits to a base, less an offset; with offset 0, sign bits follow. */
interface SymbolLayout {
  readonly base: number
  readonly count: number
  readonly offset: number
}

const signedQuad: SymbolLayout = { base: 3, count: 4, offset: 1 }
const quad: SymbolLayout = { base: 3, count: 4, offset: 0 }
const signedPair: SymbolLayout = { base: 9, count: 2, offset: 4 }
const pairTo = (max: number): SymbolLayout => ({ base: max + 1, count: 2, offset: 0 })

/** Value that says that a larger one follows. */
const escape = 16

/** Layouts by codebook, from 1 to 11. */
const layouts: ReadonlyArray<SymbolLayout> = [
  signedQuad,
  signedQuad,
  quad,
  quad,
  signedPair,
  signedPair,
  pairTo(7),
  pairTo(7),
  pairTo(12),
  pairTo(12),
  pairTo(escape)
]

const escapeBook = 11

const readEscaped = (bits: BitReader): number => {
  let width = 4
  while (bits.flag()) width += 1
  if (width > 12) throw new AacError("damaged")
  return (1 << width) + bits.read(width)
}

const readNumbers = (bits: BitReader, book: number, numbers: Int16Array): void => {
  const { base, count, offset } = layouts[book - 1] ?? quad
  for (let at = 0; at < numbers.length; at += count) {
    let symbol = readSymbol(bits, book)
    for (let digit = at + count - 1; digit >= at; digit--) {
      numbers[digit] = symbol % base - offset
      symbol = Math.floor(symbol / base)
    }
    if (offset > 0) continue
    for (let digit = at; digit < at + count; digit++) {
      const number = numbers[digit] ?? 0
      if (number !== 0 && bits.flag()) numbers[digit] = -number
    }
    if (book !== escapeBook) continue
    for (let digit = at; digit < at + count; digit++) {
      const number = numbers[digit] ?? 0
      if (Math.abs(number) === escape) numbers[digit] = Math.sign(number) * readEscaped(bits)
    }
  }
}

/** Powers of 4/3 of every quantized value that can occur. */
const powers = Float32Array.from({ length: 8_192 + 64 }, (_, number) => number ** (4 / 3))

/** Gain of a scale factor. */
export const gainOf = (scaleFactor: number): number => 2 ** (scaleFactor / 4)

/** Reads and dequantizes `spectral_data` of ISO/IEC 14496-3. Bands with intensity stereo are left at 0. */
export const readSpectrum = (bits: BitReader, { books, info, noise, pulses, scaleFactors }: SideInfo): Float32Array => {
  const ranges = bandRanges(info)
  const numbers = new Int16Array(1_024)
  for (const { band, from, to } of ranges) {
    const book = books[band] ?? 0
    if (hasValues(book)) readNumbers(bits, book, numbers.subarray(from, to))
  }
  for (const { amplitude, at } of pulses) {
    const number = numbers[at] ?? 0
    numbers[at] = number > 0 ? number + amplitude : number - amplitude
  }
  const spectrum = new Float32Array(1_024)
  for (const { band, from, to } of ranges) {
    const book = books[band] ?? 0
    const scaleFactor = scaleFactors[band] ?? 0
    if (book === specialBooks.noise) fillWithNoise(spectrum.subarray(from, to), noise, gainOf(scaleFactor))
    if (!hasValues(book)) continue
    const gain = gainOf(scaleFactor - 100)
    for (let at = from; at < to; at++) {
      const number = numbers[at] ?? 0
      const power = powers[Math.abs(number)] ?? 0
      spectrum[at] = number < 0 ? -power * gain : power * gain
    }
  }
  return spectrum
}
