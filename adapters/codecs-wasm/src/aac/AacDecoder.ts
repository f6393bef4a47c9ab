import type { AacConfig } from "./AacConfig.js"
import { AacError, BitReader } from "./BitReader.js"
import { type AacChannel, type ChannelSource, readChannel } from "./Channel.js"
import { isIntensity, specialBooks } from "./Codebooks.js"
import { FilterBank } from "./FilterBank.js"
import { bandRanges, gainOf, makeNoiseGenerator } from "./Spectrum.js"
import { applyTns } from "./Tns.js"
import { type BandsOfRate, readWindowInfo, type WindowInfo } from "./Windows.js"

/** Elements of a block by their number (ISO/IEC 14496-3, table 4.85); `lfe` is a channel of low frequencies. */
const elements = ["single", "pair", "coupling", "lfe", "data", "program", "fill", "end"] as const

/** Reads the bands of a pair that are coded as mid and side: those that are marked, none, or all. */
const readMidSide = (bits: BitReader, { groups, maxBands }: WindowInfo) => {
  const kind = bits.read(2)
  const midSide = new Uint8Array(groups.length * maxBands).fill(kind === 2 ? 1 : 0)
  if (kind === 1) { for (let band = 0; band < midSide.length; band++) midSide[band] = bits.read(1) }
  return { midSide, isAllMidSide: kind === 2 }
}

const readPair = (source: ChannelSource): ReadonlyArray<AacChannel> => {
  const { bands, bits } = source
  if (!bits.flag()) return [readChannel(source, null), readChannel(source, null)]
  const common = readWindowInfo(bits, bands)
  const midSide = readMidSide(bits, common)
  const [left, right] = [readChannel(source, common), readChannel(source, common)]
  decodeStereo({ ...midSide, left, right })
  return [left, right]
}

const skipData = (bits: BitReader): void => {
  const isAligned = bits.flag()
  const count = bits.read(8)
  const bytes = count === 255 ? 255 + bits.read(8) : count
  if (isAligned) bits.align()
  bits.skip(bytes * 8)
}

/** Skips fill elements, and with them the extensions of HE-AAC. */
const skipFill = (bits: BitReader): void => {
  const count = bits.read(4)
  bits.skip((count === 15 ? 14 + bits.read(8) : count) * 8)
}

const skipProgram = (bits: BitReader): void => {
  bits.skip(6)
  const [front, side, back, lfe, data, coupling] = [4, 4, 4, 2, 3, 4].map((width) => bits.read(width))
  if (bits.flag()) bits.skip(4)
  if (bits.flag()) bits.skip(4)
  if (bits.flag()) bits.skip(3)
  bits.skip(((front ?? 0) + (side ?? 0) + (back ?? 0) + (coupling ?? 0)) * 5 + ((lfe ?? 0) + (data ?? 0)) * 4)
  bits.align()
  bits.skip(bits.read(8) * 8)
}

/** Two channels that were coded together. */
interface ChannelPair {
  readonly left: AacChannel
  readonly right: AacChannel
  /** 1 for each band coded as mid and side, or that inverts intensity stereo. */
  readonly midSide: Uint8Array
  /** True when all bands are coded as mid and side, which does not invert intensity stereo. */
  readonly isAllMidSide: boolean
}

/** Decodes mid/side and intensity stereo into a left and a right channel, in place. */
const decodeStereo = ({ isAllMidSide, left, midSide, right }: ChannelPair): void => {
  for (const { band, from, to } of bandRanges(left.info)) {
    const [one, other] = [left.books[band] ?? 0, right.books[band] ?? 0]
    const isMidSide = midSide[band] === 1
    const copyLeft = (gain: number) => {
      for (let at = from; at < to; at++) right.spectrum[at] = (left.spectrum[at] ?? 0) * gain
    }
    if (isIntensity(other)) {
      const isInverted = (other === specialBooks.intensityInverted) !== (isMidSide && !isAllMidSide)
      copyLeft((isInverted ? -1 : 1) * gainOf(-(right.scaleFactors[band] ?? 0)))
    } else if (isMidSide && one === specialBooks.noise && other === specialBooks.noise) {
      copyLeft(gainOf((right.scaleFactors[band] ?? 0) - (left.scaleFactors[band] ?? 0)))
    } else if (isMidSide && !isIntensity(one) && one !== specialBooks.noise && other !== specialBooks.noise) {
      for (let at = from; at < to; at++) {
        const [mid, side] = [left.spectrum[at] ?? 0, right.spectrum[at] ?? 0]
        left.spectrum[at] = mid + side
        right.spectrum[at] = mid - side
      }
    }
  }
}

/**
 * Decodes AAC-LC (ISO/IEC 14496-3) block by block. All tools of AAC-LC are supported but coupling channels, which no
 * common encoder writes. A decoder keeps state between blocks, so each stream needs one.
 *
 * @example
 * const decoder = new AacDecoder(parseAudioSpecificConfig(esds))
 * const [left, right] = decoder.decode(accessUnit)
 */
export class AacDecoder {
  readonly #bands: BandsOfRate
  readonly #noise = makeNoiseGenerator()
  readonly #banks: Array<FilterBank> = []

  constructor({ bands }: AacConfig) {
    this.#bands = bands
  }

  /** Decodes one access unit, such as a packet of an MP4 file, to 1,024 samples per channel. Throws `AacError`. */
  decode(accessUnit: Uint8Array): ReadonlyArray<Float32Array> {
    return this.decodeBlock(new BitReader(accessUnit))
  }

  /**
   * Decodes the next block of a bit stream to 1,024 samples per channel, from -1 to 1. Channels of low frequencies are
   * left out. The samples overlap: the first block of a stream is incomplete. Throws `AacError`.
   */
  decodeBlock(bits: BitReader): ReadonlyArray<Float32Array> {
    const channels = this.#channels({ bits, bands: this.#bands, noise: this.#noise })
    return channels.map(({ info, spectrum, tnsFilters }, at) => {
      applyTns(spectrum, tnsFilters, info)
      const bank = this.#banks[at] ??= new FilterBank()
      return bank.samples(spectrum, info)
    })
  }

  #channels(source: ChannelSource): ReadonlyArray<AacChannel> {
    const { bits } = source
    const channels: Array<AacChannel> = []
    for (;;) {
      const element = elements[bits.read(3)]
      if (element === "end") break
      if (element !== "fill") bits.skip(4)
      if (element === "single") channels.push(readChannel(source, null))
      if (element === "pair") channels.push(...readPair(source))
      if (element === "lfe") readChannel(source, null)
      if (element === "data") skipData(bits)
      if (element === "program") skipProgram(bits)
      if (element === "fill") skipFill(bits)
      if (element === "coupling") throw new AacError("unsupported")
    }
    bits.align()
    return channels
  }
}
