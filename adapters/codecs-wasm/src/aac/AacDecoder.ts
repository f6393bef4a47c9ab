import type { AacConfig } from "./AacConfig.js"
import { otherAac } from "./AacFaults.js"
import type { BandsOfRate } from "./Bands.js"
import type { BitReader } from "./BitReader.js"
import { type Channel, type ChannelSource, readChannel } from "./Channel.js"
import { FilterBank } from "./FilterBank.js"
import { makeNoise } from "./Noise.js"
import { shapeNoise } from "./NoiseShaping.js"
import { separate } from "./Stereo.js"
import { readWindowInfo, type WindowInfo } from "./WindowInfo.js"

/** The elements of a frame by their number. */
const elements = ["single", "pair", "coupling", "deep", "data", "program", "fill", "end"] as const

/** Which bands of a pair are joint: those that are marked, none, or all. */
const readJoint = (bits: BitReader, { groups, used }: WindowInfo) => {
  const kind = bits.read(2)
  const joint = new Uint8Array(groups.length * used).fill(kind === 2 ? 1 : 0)
  if (kind === 1) { for (let band = 0; band < joint.length; band++) joint[band] = bits.read(1) }
  return { joint, isAllJoint: kind === 2 }
}

const readPair = (source: ChannelSource): ReadonlyArray<Channel> => {
  const { bands, bits } = source
  if (!bits.flag()) return [readChannel(source, null), readChannel(source, null)]
  const common = readWindowInfo(bits, bands)
  const joint = readJoint(bits, common)
  const [left, right] = [readChannel(source, common), readChannel(source, common)]
  separate({ ...joint, left, right })
  return [left, right]
}

const skipData = (bits: BitReader): void => {
  const isAligned = bits.flag()
  const count = bits.read(8)
  const bytes = count === 255 ? 255 + bits.read(8) : count
  if (isAligned) bits.align()
  bits.skip(bytes * 8)
}

/** Also passes over what makes AAC-LC into HE-AAC. */
const skipFill = (bits: BitReader): void => {
  const count = bits.read(4)
  bits.skip((count === 15 ? 14 + bits.read(8) : count) * 8)
}

const skipProgram = (bits: BitReader): void => {
  bits.skip(6)
  const [front, side, back, deep, data, coupling] = [4, 4, 4, 2, 3, 4].map((width) => bits.read(width))
  if (bits.flag()) bits.skip(4)
  if (bits.flag()) bits.skip(4)
  if (bits.flag()) bits.skip(3)
  bits.skip(((front ?? 0) + (side ?? 0) + (back ?? 0) + (coupling ?? 0)) * 5 + ((deep ?? 0) + (data ?? 0)) * 4)
  bits.align()
  bits.skip(bits.read(8) * 8)
}

/**
 * Decodes AAC-LC of ISO/IEC 14496-3, block by block: everything that its encoders write, but for coupling channels,
 * which none does. Throws `Unreadable`. Written here because what decodes AAC elsewhere is GPL, or needs a browser.
 */
export class AacDecoder {
  readonly #bands: BandsOfRate
  readonly #noise = makeNoise()
  readonly #banks: Array<FilterBank> = []

  constructor({ bands }: AacConfig) {
    this.#bands = bands
  }

  /** The next 1,024 samples of each channel, but for one that is only deep. */
  block(bits: BitReader): ReadonlyArray<Float32Array> {
    return this.#channels({ bits, bands: this.#bands, noise: this.#noise }).map(({ info, shaping, spectrum }, at) => {
      shapeNoise(spectrum, shaping, info)
      const bank = this.#banks[at] ??= new FilterBank()
      return bank.samples(spectrum, info)
    })
  }

  #channels(source: ChannelSource): ReadonlyArray<Channel> {
    const { bits } = source
    const channels: Array<Channel> = []
    for (;;) {
      const element = elements[bits.read(3)]
      if (element === "end") break
      if (element !== "fill") bits.skip(4)
      if (element === "single") channels.push(readChannel(source, null))
      if (element === "pair") channels.push(...readPair(source))
      if (element === "deep") readChannel(source, null)
      if (element === "data") skipData(bits)
      if (element === "program") skipProgram(bits)
      if (element === "fill") skipFill(bits)
      if (element === "coupling") throw otherAac()
    }
    bits.align()
    return channels
  }
}
