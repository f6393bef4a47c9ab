import { damagedAac, otherAac } from "./AacFaults.js"
import type { BandsOfRate } from "./Bands.js"
import type { BitReader } from "./BitReader.js"
import { isShared, noBook, readStep } from "./Codebooks.js"
import type { Noise } from "./Noise.js"
import { readShaping, type Shaping } from "./NoiseShaping.js"
import { type Pulse, readSpectrum } from "./Spectrum.js"
import { readWindowInfo, type WindowInfo } from "./WindowInfo.js"

/** What a frame says of one channel. Bands are numbered through: those of the first group, then those of the next. */
export interface Channel {
  readonly info: WindowInfo
  /** The codebook of each band. */
  readonly books: Uint8Array
  /** How loud each band is, in quarters of a power of two; of noise and shared ones, too. */
  readonly levels: Int16Array
  readonly shaping: Shaping
  /** The values of all windows, one window after the other. */
  readonly spectrum: Float32Array
}

const readBooks = (bits: BitReader, { groups, sequence, used }: WindowInfo): Uint8Array => {
  const books = new Uint8Array(groups.length * used)
  const width = sequence === "short" ? 3 : 5
  const more = (1 << width) - 1
  for (let first = 0; first < books.length; first += used) {
    for (let band = 0; band < used;) {
      const book = bits.read(4)
      if (book === noBook.reserved) throw damagedAac()
      const from = band
      let part = 0
      do {
        part = bits.read(width)
        band += part
      } while (part === more)
      if (band > used) throw damagedAac()
      books.fill(book, first + from, first + band)
    }
  }
  return books
}

/** Beyond it, samples would not be numbers any more. */
const mostLevel = 255

/** Levels are written as steps from the one before of their kind; the first of noise is written as it is. */
const readLevels = (bits: BitReader, books: Uint8Array, loudness: number): Int16Array => {
  const levels = new Int16Array(books.length)
  let level = loudness
  let share = 0
  let noise: number | null = null
  for (const [band, book] of books.entries()) {
    if (isShared(book)) levels[band] = share += readStep(bits)
    else if (book === noBook.noise) {
      noise = noise === null ? loudness - 90 - 256 + bits.read(9) : noise + readStep(bits)
      levels[band] = noise
    } else if (book !== noBook.silence) levels[band] = level += readStep(bits)
  }
  if (levels.some((level) => Math.abs(level) > mostLevel)) throw damagedAac()
  return levels
}

const readPulses = (bits: BitReader, { bands, sequence, used }: WindowInfo): ReadonlyArray<Pulse> => {
  if (sequence === "short") throw damagedAac()
  const count = bits.read(2) + 1
  const band = bits.read(6)
  if (band >= used) throw damagedAac()
  let at = bands.offsets[band] ?? 0
  return Array.from({ length: count }, () => {
    at += bits.read(5)
    return { at, height: bits.read(4) }
  })
}

/** What channels are read from. */
export interface ChannelSource {
  readonly bits: BitReader
  readonly bands: BandsOfRate
  readonly noise: Noise
}

/** `individual_channel_stream` of ISO/IEC 14496-3. `common` is the layout that both channels of a pair have. */
export const readChannel = ({ bands, bits, noise }: ChannelSource, common: WindowInfo | null): Channel => {
  const loudness = bits.read(8)
  const info = common ?? readWindowInfo(bits, bands)
  const books = readBooks(bits, info)
  const levels = readLevels(bits, books, loudness)
  const pulses = bits.flag() ? readPulses(bits, info) : []
  const shaping = bits.flag() ? readShaping(bits, info) : []
  if (bits.flag()) throw otherAac()
  return { info, books, levels, shaping, spectrum: readSpectrum(bits, { info, books, levels, pulses, noise }) }
}
