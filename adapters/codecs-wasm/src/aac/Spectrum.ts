import { damagedAac } from "./AacFaults.js"
import type { BitReader } from "./BitReader.js"
import { hasValues, noBook, readSymbol } from "./Codebooks.js"
import { fillWithNoise, type Noise } from "./Noise.js"
import type { WindowInfo } from "./WindowInfo.js"

/** A value that is larger than its codebook knows: where it is, and by how much. */
export interface Pulse {
  readonly at: number
  readonly height: number
}

/** What is known of a spectrum before its values. */
export interface Outline {
  readonly info: WindowInfo
  readonly books: Uint8Array
  readonly levels: Int16Array
  readonly pulses: ReadonlyArray<Pulse>
  readonly noise: Noise
}

/** Some neighbouring values of one band in one window. */
export interface Stretch {
  /** The number of the band. */
  readonly band: number
  readonly from: number
  readonly to: number
}

/** The stretches of a frame in the order in which they are written: band by band, and by window in each. */
export const stretchesOf = ({ bands, groups, size, used }: WindowInfo): ReadonlyArray<Stretch> => {
  const { offsets } = bands
  const stretches: Array<Stretch> = []
  let first = 0
  for (const [group, windows] of groups.entries()) {
    for (let band = 0; band < used; band++) {
      for (let window = first; window < first + windows; window++) {
        const start = window * size
        const [from = 0, to = 0] = offsets.subarray(band, band + 2)
        stretches.push({ band: group * used + band, from: start + from, to: start + to })
      }
    }
    first += windows
  }
  return stretches
}

/** How symbols hold values: as digits to a base, so many of them, less an offset, or with their signs behind. */
interface Digits {
  readonly base: number
  readonly count: number
  readonly offset: number
}

const signedQuad: Digits = { base: 3, count: 4, offset: 1 }
const quad: Digits = { base: 3, count: 4, offset: 0 }
const signedPair: Digits = { base: 9, count: 2, offset: 4 }
const pairTo = (most: number): Digits => ({ base: most + 1, count: 2, offset: 0 })

/** The value that says that a larger one follows. */
const escape = 16

/** By codebook, from 1 to 11. */
const digitsOf: ReadonlyArray<Digits> = [
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
  if (width > 12) throw damagedAac()
  return (1 << width) + bits.read(width)
}

const readNumbers = (bits: BitReader, book: number, numbers: Int16Array): void => {
  const { base, count, offset } = digitsOf[book - 1] ?? quad
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

/** The power of 4/3 of every number that can be written. */
const powers = Float32Array.from({ length: 8_192 + 64 }, (_, number) => number ** (4 / 3))

/** How much a level is. */
export const gainOf = (level: number): number => 2 ** (level / 4)

/** `spectral_data` of ISO/IEC 14496-3, and what its numbers are worth. Bands of the other channel are left empty. */
export const readSpectrum = (bits: BitReader, { books, info, levels, noise, pulses }: Outline): Float32Array => {
  const stretches = stretchesOf(info)
  const numbers = new Int16Array(1_024)
  for (const { band, from, to } of stretches) {
    const book = books[band] ?? 0
    if (hasValues(book)) readNumbers(bits, book, numbers.subarray(from, to))
  }
  for (const { at, height } of pulses) {
    const number = numbers[at] ?? 0
    numbers[at] = number > 0 ? number + height : number - height
  }
  const spectrum = new Float32Array(1_024)
  for (const { band, from, to } of stretches) {
    const book = books[band] ?? 0
    const level = levels[band] ?? 0
    if (book === noBook.noise) fillWithNoise(spectrum.subarray(from, to), noise, gainOf(level))
    if (!hasValues(book)) continue
    const gain = gainOf(level - 100)
    for (let at = from; at < to; at++) {
      const number = numbers[at] ?? 0
      const power = powers[Math.abs(number)] ?? 0
      spectrum[at] = number < 0 ? -power * gain : power * gain
    }
  }
  return spectrum
}
