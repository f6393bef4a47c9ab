import { oggPage } from "../ogg/WriteOgg.js"
import type { Writing } from "../thread/Messages.js"
import { opusRates } from "./OpusRates.js"

/** The rate at which Opus counts, whatever it is given. */
const countRate = 48_000

/** How many packets of 20 ms there are in a second. */
const packetsPerSecond = 50

/** Packets in a page: even of the longest packets, of 1,275 bytes, so many have room. */
const packetsPerPage = 40

/** Bits per second: enough for speech at any rate, and for much else. */
const bitrateOf = (rate: number): number => Math.min(64_000, rate * 3)

const magic = (text: string, bytes: number): Uint8Array => {
  const packet = new Uint8Array(bytes)
  packet.set(new TextEncoder().encode(text))
  return packet
}

/** `OpusHead` of RFC 7845, 5.1, for one channel. */
const headOf = (asked: number, before: number): Uint8Array => {
  const head = magic("OpusHead", 19)
  const view = new DataView(head.buffer)
  view.setUint8(8, 1)
  view.setUint8(9, 1)
  view.setUint16(10, before, true)
  view.setUint32(12, asked, true)
  return head
}

const vendor = "libopus"

/** `OpusTags` of RFC 7845, 5.2, without any comment. */
const tags = (): Uint8Array => {
  const packet = magic(`OpusTags\0\0\0\0${vendor}`, 8 + 4 + vendor.length + 4)
  new DataView(packet.buffer).setUint32(8, vendor.length, true)
  return packet
}

/** Writes Opus in Ogg by libopus. Players leave out what it needs before the sound, and end where the sound does. */
export const encodeOpus = async ({ asked, rate: given, samples }: Writing): Promise<Uint8Array> => {
  const { Application, createEncoder } = await import("libopus-wasm")
  const rate = opusRates.find((known) => known === given) ?? countRate
  const encoder = await createEncoder({
    sampleRate: rate,
    channels: 1,
    application: Application.Audio,
    bitrate: bitrateOf(rate)
  })
  const before = encoder.getLookahead() * countRate / rate
  const end = before + samples.length * countRate / rate
  const count = Math.max(1, Math.ceil(end * packetsPerSecond / countRate))

  const packetAt = (place: number): Uint8Array => {
    const frame = new Float32Array(rate / packetsPerSecond)
    frame.set(samples.subarray(place * frame.length, (place + 1) * frame.length))
    return encoder.encodeFloat(frame)
  }

  const pages = [
    oggPage({ packets: [headOf(asked, before)], position: 0, sequence: 0, isLast: false }),
    oggPage({ packets: [tags()], position: 0, sequence: 1, isLast: false })
  ]
  try {
    for (let first = 0; first < count; first += packetsPerPage) {
      const next = Math.min(count, first + packetsPerPage)
      const isLast = next === count
      const packets = Array.from({ length: next - first }, (_, at) => packetAt(first + at))
      const position = isLast ? end : next * countRate / packetsPerSecond
      pages.push(oggPage({ packets, position, sequence: pages.length, isLast }))
    }
  } finally {
    encoder.free()
  }
  // Small buffers are parts of a pool, all of which would be sent.
  return new Uint8Array(Buffer.concat(pages))
}
