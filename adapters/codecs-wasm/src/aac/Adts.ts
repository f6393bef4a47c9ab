import { type AacConfig, aacConfig } from "./AacConfig.js"
import { otherAac } from "./AacFaults.js"
import { BitReader } from "./BitReader.js"

/** A frame of an ADTS stream (ISO/IEC 13818-7, 6.2). */
export interface AdtsFrame {
  readonly config: AacConfig
  /** How many blocks it holds. */
  readonly blocks: number
  readonly bits: BitReader
  /** Where the next frame begins. */
  readonly next: number
}

const headerBytes = 7
const checkedHeaderBytes = 9

/** The frame that begins at a place; null where none does, or where the bytes end before it does. */
export const adtsFrameAt = (bytes: Uint8Array, at: number): AdtsFrame | null => {
  if (at + headerBytes > bytes.length) return null
  const header = new BitReader(bytes.subarray(at))
  if (header.read(12) !== 0xFFF) return null
  header.skip(3)
  const isChecked = !header.flag()
  const kind = header.read(2) + 1
  const rate = header.read(4)
  header.skip(8)
  const length = header.read(13)
  header.skip(11)
  const blocks = header.read(2) + 1
  const from = isChecked ? checkedHeaderBytes : headerBytes
  if (length < from || at + length > bytes.length) return null
  if (isChecked && blocks > 1) throw otherAac()
  const bits = new BitReader(bytes.subarray(at + from, at + length))
  return { config: aacConfig(kind, rate), blocks, bits, next: at + length }
}
