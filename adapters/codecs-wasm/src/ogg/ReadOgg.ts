import { Unreadable } from "../decode/Unreadable.js"
import { crcAt, oggCrc } from "./OggCrc.js"

/** The packets that end in one page of an Ogg stream (RFC 3533). */
export interface OggPackets {
  readonly packets: ReadonlyArray<Uint8Array>
  /** Where in the sound the last of them ends, as its codec counts; negative when none does. */
  readonly position: number
  readonly isLast: boolean
}

/** The longest packet that is put together: pictures among the comments may be large. */
const mostBytes = 4_194_304

const headerBytes = 27
const segment = 255
const magic = 0x4F_67_67_53

/** The page that begins at a place; null where none does, or where it is cut off. */
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

/** Parts of packets by the lengths of their segments; the last one goes on in the next page where `isOpen`. */
const partsOf = (bytes: Uint8Array, lengths: Uint8Array, from: number) => {
  const parts: Array<Uint8Array> = []
  let start = from
  let end = from
  for (const length of lengths) {
    end += length
    if (length === segment) continue
    parts.push(bytes.subarray(start, end))
    start = end
  }
  const isOpen = lengths.at(-1) === segment
  if (isOpen) parts.push(bytes.subarray(start, end))
  return { parts, isOpen }
}

/** The packets of the first stream of an Ogg file, as far as it goes. Throws `Unreadable` where it is damaged. */
export function* oggPackets(bytes: Uint8Array): Generator<OggPackets> {
  let open: Uint8Array = new Uint8Array()
  let stream: { readonly serial: number; sequence: number } | null = null
  for (let at = 0;;) {
    const found = pageAt(bytes, at)
    if (found === null) return
    const { from, lengths, next, page, view } = found
    at = next
    const serial = view.getUint32(14, true)
    stream ??= { serial, sequence: view.getUint32(18, true) }
    if (serial !== stream.serial) continue
    const isContinued = (view.getUint8(5) & 1) !== 0
    const isWhole = oggCrc(page) === view.getUint32(crcAt, true) && view.getUint32(18, true) === stream.sequence
    if (!isWhole || isContinued !== open.length > 0 || open.length > mostBytes) {
      throw new Unreadable("The Ogg file is damaged")
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
