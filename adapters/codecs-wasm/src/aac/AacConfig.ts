import { damagedAac, otherAac } from "./AacFaults.js"
import { aacRates, type BandsOfRate, bandsOfRates } from "./Bands.js"
import { BitReader } from "./BitReader.js"

/** How a sound is written in AAC-LC. */
export interface AacConfig {
  /** Samples per second. */
  readonly rate: number
  readonly bands: BandsOfRate
}

const kinds = { lowComplexity: 2, spectralBandReplication: 5, parametricStereo: 29 } as const

/** The number that says that the rate itself follows. */
const otherRate = 15

/** A kind of AAC at a rate by its number in a header. Throws `Unreadable` of what is not AAC-LC. */
export const aacConfig = (kind: number, number: number): AacConfig => {
  if (kind !== kinds.lowComplexity) throw otherAac()
  const [rate, bands] = [aacRates[number], bandsOfRates[number]]
  if (rate === undefined || bands === undefined) throw damagedAac()
  return { rate, bands }
}

/**
 * `AudioSpecificConfig` of ISO/IEC 14496-3, as MP4 files have it. Of HE-AAC the core is read, which is AAC-LC at half
 * the rate.
 */
export const readAacConfig = (description: Uint8Array): AacConfig => {
  const bits = new BitReader(description)
  const readKind = () => {
    const kind = bits.read(5)
    return kind === 31 ? 32 + bits.read(6) : kind
  }
  const readRate = () => {
    const number = bits.read(4)
    return number === otherRate ? aacRates.indexOf(bits.read(24)) : number
  }
  const outer = readKind()
  const rate = readRate()
  bits.skip(4)
  const isExtended = outer === kinds.spectralBandReplication || outer === kinds.parametricStereo
  if (isExtended) readRate()
  const kind = isExtended ? readKind() : outer
  if (bits.flag()) throw otherAac()
  return aacConfig(kind, rate)
}
