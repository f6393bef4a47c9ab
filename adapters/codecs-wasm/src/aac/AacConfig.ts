import { AacError, BitReader } from "./BitReader.js"
import { type BandsOfRate, bandsOfRates, sampleRates } from "./Windows.js"

/** Parameters of an AAC-LC stream. */
export interface AacConfig {
  /** Samples per second. */
  readonly rate: number
  /** Scale factor bands at that rate. */
  readonly bands: BandsOfRate
}

/** Audio object types of ISO/IEC 14496-3, table 1.17: AAC-LC, HE-AAC and HE-AAC v2. */
const objectTypes = { lowComplexity: 2, spectralBandReplication: 5, parametricStereo: 29 } as const

/** Sampling frequency index that says that the rate itself follows, in 24 bits. */
const explicitRate = 15

/** Configuration of an audio object type at a sampling frequency index. Throws `AacError` for anything but AAC-LC. */
const configOf = (objectType: number, rateIndex: number): AacConfig => {
  if (objectType !== objectTypes.lowComplexity) throw new AacError("unsupported")
  const [rate, bands] = [sampleRates[rateIndex], bandsOfRates[rateIndex]]
  if (rate === undefined || bands === undefined) throw new AacError("damaged")
  return { rate, bands }
}

/**
 * Parses an `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1), as MP4 files have it in their `esds` box. Of HE-AAC it gives
 * the core, which is AAC-LC at half the rate. Throws `AacError`.
 */
export const parseAudioSpecificConfig = (bytes: Uint8Array): AacConfig => {
  const bits = new BitReader(bytes)
  const readObjectType = () => {
    const type = bits.read(5)
    return type === 31 ? 32 + bits.read(6) : type
  }
  const readRateIndex = () => {
    const index = bits.read(4)
    return index === explicitRate ? sampleRates.indexOf(bits.read(24)) : index
  }
  const outerType = readObjectType()
  const rateIndex = readRateIndex()
  bits.skip(4)
  const isExtended = outerType === objectTypes.spectralBandReplication || outerType === objectTypes.parametricStereo
  if (isExtended) readRateIndex()
  const objectType = isExtended ? readObjectType() : outerType
  const hasShortFrames = bits.flag()
  if (hasShortFrames) throw new AacError("unsupported")
  return configOf(objectType, rateIndex)
}

/** A frame of an ADTS stream (ISO/IEC 13818-7, 6.2). */
export interface AdtsFrame {
  readonly config: AacConfig
  /** Number of blocks in the frame, each of 1,024 samples per channel. */
  readonly blocks: number
  /** Reads the blocks, one after the other. */
  readonly bits: BitReader
}

const headerBytes = 7
const checksummedHeaderBytes = 9

/** The frame at an offset, and where the next one begins; null where no whole frame begins. */
const adtsFrameAt = (bytes: Uint8Array, at: number): { readonly frame: AdtsFrame; readonly next: number } | null => {
  if (at + headerBytes > bytes.length) return null
  const header = new BitReader(bytes.subarray(at))
  if (header.read(12) !== 0xFFF) return null
  header.skip(3)
  const hasChecksum = !header.flag()
  const objectType = header.read(2) + 1
  const rateIndex = header.read(4)
  header.skip(8)
  const length = header.read(13)
  header.skip(11)
  const blocks = header.read(2) + 1
  const from = hasChecksum ? checksummedHeaderBytes : headerBytes
  if (length < from || at + length > bytes.length) return null
  if (hasChecksum && blocks > 1) throw new AacError("unsupported")
  const bits = new BitReader(bytes.subarray(at + from, at + length))
  return { frame: { config: configOf(objectType, rateIndex), blocks, bits }, next: at + length }
}

/**
 * Splits an ADTS stream into frames, up to the first bytes that are not a frame. Checksums are skipped. Throws `AacError`.
 *
 * @example
 * for (const { bits, blocks, config } of adtsFrames(bytes)) {
 *   decoder ??= new AacDecoder(config)
 *   for (let block = 0; block < blocks; block++) play(decoder.decodeBlock(bits), config.rate)
 * }
 */
export function* adtsFrames(bytes: Uint8Array): Generator<AdtsFrame> {
  for (let adts = adtsFrameAt(bytes, 0); adts !== null; adts = adtsFrameAt(bytes, adts.next)) yield adts.frame
}
