import { oggCrc } from "./OggCrc.js"

/** A page of an Ogg stream (RFC 3533). */
export interface OggPage {
  /** Whether it begins within a packet that the page before began. */
  readonly isContinued: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Where in the sound its last packet ends, as its codec counts; -1 where none ends. */
  readonly position: bigint
  /** Which of the streams of a file it belongs to. */
  readonly serial: number
  readonly sequence: number
  /** Its packets, the last of which may go on in the next page. */
  readonly packets: ReadonlyArray<Uint8Array>
  /** Whether the last packet goes on in the next page. */
  readonly isOpen: boolean
}

const headerBytes = 27

/** A packet is written in segments of 255 bytes and one of fewer, so that its end is known. */
const segment = 255

const flags = { continued: 1, first: 2, last: 4 } as const

/** Writes a page of whole packets, which have room for 255 segments. */
export const writeOggPage = (
  { isFirst, isLast, packets, position, sequence, serial }: Omit<OggPage, "isContinued" | "isOpen">
): Uint8Array => {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / segment) }, () => segment),
    length % segment
  ])
  const page = new Uint8Array(headerBytes + lacing.length + packets.reduce((sum, { length }) => sum + length, 0))
  const view = new DataView(page.buffer)
  page.set(new TextEncoder().encode("OggS"))
  page[5] = (isFirst ? flags.first : 0) | (isLast ? flags.last : 0)
  view.setBigInt64(6, position, true)
  view.setUint32(14, serial, true)
  view.setUint32(18, sequence, true)
  page[26] = lacing.length
  page.set(lacing, headerBytes)
  let at = headerBytes + lacing.length
  for (const packet of packets) {
    page.set(packet, at)
    at += packet.length
  }
  view.setUint32(22, oggCrc(page), true)
  return page
}

const isPageAt = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x4F && bytes[at + 1] === 0x67 && bytes[at + 2] === 0x67 && bytes[at + 3] === 0x53 &&
  bytes[at + 4] === 0

/** The page that begins at a place, and where the next one does; null where none does, or where it is cut off. */
export const readOggPage = (
  bytes: Uint8Array,
  at: number
): { readonly page: OggPage; readonly isIntact: boolean; readonly next: number } | null => {
  const count = bytes[at + 26]
  if (!isPageAt(bytes, at) || count === undefined) return null
  const lacing = bytes.subarray(at + headerBytes, at + headerBytes + count)
  const next = at + headerBytes + count + lacing.reduce((sum, length) => sum + length, 0)
  if (lacing.length < count || next > bytes.length) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, next - at)
  const unsigned = bytes.slice(at, next)
  unsigned.fill(0, 22, 26)
  const packets: Array<Uint8Array> = []
  let from = at + headerBytes + count
  let to = from
  for (const length of lacing) {
    to += length
    if (length === segment) continue
    packets.push(bytes.subarray(from, to))
    from = to
  }
  const isOpen = lacing.at(-1) === segment
  if (isOpen) packets.push(bytes.subarray(from, to))
  const kind = view.getUint8(5)
  const page = {
    isContinued: (kind & flags.continued) !== 0,
    isFirst: (kind & flags.first) !== 0,
    isLast: (kind & flags.last) !== 0,
    position: view.getBigInt64(6, true),
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    packets,
    isOpen
  }
  return { page, isIntact: oggCrc(unsigned) === view.getUint32(22, true), next }
}
