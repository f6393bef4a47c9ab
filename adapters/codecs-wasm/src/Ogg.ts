import { UnreadableClip } from "./Intake.js"

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24
  for (let bit = 0; bit < 8; bit++) remainder = remainder < 0 ? (remainder << 1) ^ 0x04_C1_1D_B7 : remainder << 1
  return remainder
})

/** Offset of the checksum in a page. */
const crcAt = 22

/** Checksum of a page, in which the field of the checksum counts as zeros (RFC 3533, section 6). */
const oggCrc = (page: Uint8Array): number => {
  let sum = 0
  for (let at = 0; at < page.length; at++) {
    const byte = at >= crcAt && at < crcAt + 4 ? 0 : page[at] ?? 0
    sum = (sum << 8) ^ (crcTable[(sum >>> 24) ^ byte] ?? 0)
  }
  return sum >>> 0
}

/** A page of an Ogg stream (RFC 3533) with whole packets. */
export interface OggPage {
  readonly packets: ReadonlyArray<Uint8Array>
  /** Granule position: end of the last packet, in samples as its codec counts them. */
  readonly position: number
  /** Number of the page, from 0. */
  readonly sequence: number
  readonly isLast: boolean
}

/** Serial number of the only stream in a file. */
const streamSerial = 1

const headerBytes = 27

/** Length of a full segment. A packet is full segments and a shorter one, which marks its end. */
const fullSegment = 255

/** Encodes a page. Its packets may have 255 segments together. */
export const encodeOggPage = ({ isLast, packets, position, sequence }: OggPage): Uint8Array => {
  const lengths = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / fullSegment) }, () => fullSegment),
    length % fullSegment
  ])
  const page = new Uint8Array(headerBytes + lengths.length + packets.reduce((sum, { length }) => sum + length, 0))
  const view = new DataView(page.buffer)
  page.set(new TextEncoder().encode("OggS"))
  page[5] = (sequence === 0 ? 2 : 0) | (isLast ? 4 : 0)
  view.setBigInt64(6, BigInt(position), true)
  view.setUint32(14, streamSerial, true)
  view.setUint32(18, sequence, true)
  page[26] = lengths.length
  page.set(lengths, headerBytes)
  let at = headerBytes + lengths.length
  for (const packet of packets) {
    page.set(packet, at)
    at += packet.length
  }
  view.setUint32(crcAt, oggCrc(page), true)
  return page
}

/** Packets that end in one page of an Ogg stream. */
export interface OggPackets {
  readonly packets: ReadonlyArray<Uint8Array>
  /** Granule position: end of the last packet, in samples; negative when no packet ends in the page. */
  readonly position: number
  readonly isLast: boolean
}

/** Limit of the length of a packet: cover images among the comments may be large. */
const maxPacketBytes = 4_194_304

const magic = 0x4F_67_67_53

/** The page at an offset; null where no whole page begins. */
const pageAt = (bytes: Uint8Array, at: number) => {
  const count = bytes[at + headerBytes - 1]
  if (count === undefined) return null
  const lengths = bytes.subarray(at + headerBytes, at + headerBytes + count)
  const from = at + headerBytes + count
  const next = from + lengths.reduce((sum, length) => sum + length, 0)
  if (next > bytes.length) return null
  const page = bytes.subarray(at, next)
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  return view.getUint32(0) === magic && view.getUint8(4) === 0 ? { view, page, lengths, from, next } : null
}

/** Splits a page into parts of packets. The last part continues in the next page when `isOpen`. */
const partsOf = (bytes: Uint8Array, lengths: Uint8Array, from: number) => {
  const parts: Array<Uint8Array> = []
  let start = from
  let end = from
  for (const length of lengths) {
    end += length
    if (length === fullSegment) continue
    parts.push(bytes.subarray(start, end))
    start = end
  }
  const isOpen = lengths.at(-1) === fullSegment
  if (isOpen) parts.push(bytes.subarray(start, end))
  return { parts, isOpen }
}

/** Packets of the first stream of an Ogg file, up to where the file is cut off. Throws `UnreadableClip` for damage. */
export function* oggPackets(bytes: Uint8Array): Generator<OggPackets> {
  let open: Uint8Array = new Uint8Array()
  let stream: { readonly serial: number; sequence: number } | null = null
  for (let at = 0;;) {
    const header = pageAt(bytes, at)
    if (header === null) return
    const { from, lengths, next, page, view } = header
    at = next
    const serial = view.getUint32(14, true)
    stream ??= { serial, sequence: view.getUint32(18, true) }
    if (serial !== stream.serial) continue
    const isContinued = (view.getUint8(5) & 1) !== 0
    const isWhole = oggCrc(page) === view.getUint32(crcAt, true) && view.getUint32(18, true) === stream.sequence
    if (!isWhole || isContinued !== open.length > 0 || open.length > maxPacketBytes) {
      throw new UnreadableClip("The Ogg file is damaged")
    }
    stream.sequence += 1
    const { isOpen, parts } = partsOf(bytes, lengths, from)
    const [first, ...others] = parts
    const packets = first === undefined ? [] : [Buffer.concat([open, first]), ...others]
    if (first !== undefined) open = isOpen ? packets.pop() ?? first : new Uint8Array()
    const isLast = (view.getUint8(5) & 4) !== 0
    yield { packets, position: Number(view.getBigInt64(6, true)), isLast }
    if (isLast) return
  }
}
