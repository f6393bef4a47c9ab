import { crcAt, oggCrc } from "./OggCrc.js"

/** A page of an Ogg stream (RFC 3533), which holds whole packets. */
export interface OggPage {
  readonly packets: ReadonlyArray<Uint8Array>
  /** Where in the sound the last packet ends, as its codec counts. */
  readonly position: number
  /** The number of the page, from 0. */
  readonly sequence: number
  readonly isLast: boolean
}

/** Any number: there is one stream in a file. */
const serial = 1

const headerBytes = 27

/** A packet is written in segments of 255 bytes and one of fewer, so that its end is known. */
const segment = 255

/** Writes a page, which has room for packets of 255 segments together. */
export const oggPage = ({ isLast, packets, position, sequence }: OggPage): Uint8Array => {
  const lengths = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / segment) }, () => segment),
    length % segment
  ])
  const page = new Uint8Array(headerBytes + lengths.length + packets.reduce((sum, { length }) => sum + length, 0))
  const view = new DataView(page.buffer)
  page.set(new TextEncoder().encode("OggS"))
  page[5] = (sequence === 0 ? 2 : 0) | (isLast ? 4 : 0)
  view.setBigInt64(6, BigInt(position), true)
  view.setUint32(14, serial, true)
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
