import { damagedAac, otherAac } from "./AacFaults.js"
import type { Bands, BandsOfRate } from "./Bands.js"
import type { BitReader } from "./BitReader.js"

/**
 * What windows a frame is made of: a long one, one that leads to short ones, eight short ones, or one that leads back.
 */
export type WindowSequence = "long" | "start" | "short" | "stop"

const sequences: ReadonlyArray<WindowSequence> = ["long", "start", "short", "stop"]

/** The slope of a window. */
export type WindowShape = "sine" | "kaiser"

/** How the values of a frame are laid out. */
export interface WindowInfo {
  readonly sequence: WindowSequence
  readonly shape: WindowShape
  /** How many values one window has. */
  readonly size: number
  readonly bands: Bands
  /** How many of the bands have values. */
  readonly used: number
  /** How many windows share their scale factors, group by group. */
  readonly groups: ReadonlyArray<number>
}

const groupsIn = (bits: BitReader): ReadonlyArray<number> => {
  const groups = [1]
  for (let window = 1; window < 8; window++) {
    if (bits.flag()) groups.push((groups.pop() ?? 0) + 1)
    else groups.push(1)
  }
  return groups
}

/** `ics_info` of ISO/IEC 14496-3, without prediction, which AAC-LC does not have. */
export const readWindowInfo = (bits: BitReader, { long, short }: BandsOfRate): WindowInfo => {
  bits.skip(1)
  const sequence = sequences[bits.read(2)] ?? "long"
  const shape = bits.flag() ? "kaiser" : "sine"
  const isShort = sequence === "short"
  const bands = isShort ? short : long
  const used = bits.read(isShort ? 4 : 6)
  if (used >= bands.offsets.length) throw damagedAac()
  if (!isShort && bits.flag()) throw otherAac()
  return { sequence, shape, size: isShort ? 128 : 1_024, bands, used, groups: isShort ? groupsIn(bits) : [1] }
}
