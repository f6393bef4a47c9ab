import { AacError, type BitReader } from "./BitReader.js"
import { isIntensity, readScaleFactorDelta, specialBooks } from "./Codebooks.js"
import { type NoiseGenerator, type Pulse, readSpectrum } from "./Spectrum.js"
import { readTnsFilters, type TnsFilter } from "./Tns.js"
import { type BandsOfRate, readWindowInfo, type WindowInfo } from "./Windows.js"

/** One channel of a block. Bands are numbered through: those of the first window group, then those of the next. */
export interface AacChannel {
  readonly info: WindowInfo
  /** Codebook of each band. */
  readonly books: Uint8Array
  /** Scale factor of each band, in quarters of a power of two; noise energy or intensity position of special bands. */
  readonly scaleFactors: Int16Array
  readonly tnsFilters: ReadonlyArray<TnsFilter>
  /** Spectral values of all windows, one window after the other. */
  readonly spectrum: Float32Array
}

const readBooks = (bits: BitReader, { groups, sequence, maxBands }: WindowInfo): Uint8Array => {
  const books = new Uint8Array(groups.length * maxBands)
  const width = sequence === "short" ? 3 : 5
  const escapeLength = (1 << width) - 1
  for (let first = 0; first < books.length; first += maxBands) {
    for (let band = 0; band < maxBands;) {
      const book = bits.read(4)
      if (book === specialBooks.reserved) throw new AacError("damaged")
      const from = band
      let length = 0
      do {
        length = bits.read(width)
        band += length
      } while (length === escapeLength)
      if (band > maxBands) throw new AacError("damaged")
      books.fill(book, first + from, first + band)
    }
  }
  return books
}

/** Largest scale factor: beyond it, samples overflow. */
const maxScaleFactor = 255

/** Reads scale factors as differences from the one before of the same kind; the first noise energy is absolute. */
const readScaleFactors = (bits: BitReader, books: Uint8Array, globalGain: number): Int16Array => {
  const scaleFactors = new Int16Array(books.length)
  let scaleFactor = globalGain
  let intensityPosition = 0
  let noiseEnergy: number | null = null
  for (const [band, book] of books.entries()) {
    if (isIntensity(book)) scaleFactors[band] = intensityPosition += readScaleFactorDelta(bits)
    else if (book === specialBooks.noise) {
      noiseEnergy = noiseEnergy === null
        ? globalGain - 90 - 256 + bits.read(9)
        : noiseEnergy + readScaleFactorDelta(bits)
      scaleFactors[band] = noiseEnergy
    } else if (book !== specialBooks.zero) scaleFactors[band] = scaleFactor += readScaleFactorDelta(bits)
  }
  if (scaleFactors.some((scaleFactor) => Math.abs(scaleFactor) > maxScaleFactor)) throw new AacError("damaged")
  return scaleFactors
}

const readPulses = (bits: BitReader, { bands, sequence, maxBands }: WindowInfo): ReadonlyArray<Pulse> => {
  if (sequence === "short") throw new AacError("damaged")
  const count = bits.read(2) + 1
  const band = bits.read(6)
  if (band >= maxBands) throw new AacError("damaged")
  let at = bands.offsets[band] ?? 0
  return Array.from({ length: count }, () => {
    at += bits.read(5)
    return { at, amplitude: bits.read(4) }
  })
}

/** Input of channels. */
export interface ChannelSource {
  readonly bits: BitReader
  readonly bands: BandsOfRate
  readonly noise: NoiseGenerator
}

/** Reads `individual_channel_stream` of ISO/IEC 14496-3. `common` is the layout that both channels of a pair share. */
export const readChannel = ({ bands, bits, noise }: ChannelSource, common: WindowInfo | null): AacChannel => {
  const globalGain = bits.read(8)
  const info = common ?? readWindowInfo(bits, bands)
  const books = readBooks(bits, info)
  const scaleFactors = readScaleFactors(bits, books, globalGain)
  const pulses = bits.flag() ? readPulses(bits, info) : []
  const tnsFilters = bits.flag() ? readTnsFilters(bits, info) : []
  const hasGainControl = bits.flag()
  if (hasGainControl) throw new AacError("unsupported")
  const spectrum = readSpectrum(bits, { info, books, scaleFactors, pulses, noise })
  return { info, books, scaleFactors, tnsFilters, spectrum }
}
