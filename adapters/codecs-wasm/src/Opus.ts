import type { EncodeJob } from "./CodecThreads.js"
import { type Channels, type Intake, UnreadableClip } from "./Intake.js"
import { encodeOggPage, oggPackets } from "./Ogg.js"

/** Sample rates that Opus encodes as they are. */
export const opusRates = [8_000, 16_000, 24_000, 48_000] as const

/** Rate of decoded Opus, and of granule positions, whatever the rate of the input was. */
export const opusClockRate = 48_000

/** Packets of 20 ms in a second. */
const packetsPerSecond = 50

/** Packets in a page: as many as fit even when all have the greatest length, 1,275 bytes. */
const packetsPerPage = 40

/** Bits per second: 3 bits a sample, enough for speech, and 64 kbit/s at most. */
const bitrateOf = (rate: number): number => Math.min(64_000, rate * 3)

const magic = (text: string, bytes: number): Uint8Array => {
  const packet = new Uint8Array(bytes)
  packet.set(new TextEncoder().encode(text))
  return packet
}

/** Encodes the header packet `OpusHead` for one channel (RFC 7845, section 5.1). */
const encodeHead = (inputRate: number, preSkip: number): Uint8Array => {
  const head = magic("OpusHead", 19)
  const view = new DataView(head.buffer)
  view.setUint8(8, 1)
  view.setUint8(9, 1)
  view.setUint16(10, preSkip, true)
  view.setUint32(12, inputRate, true)
  return head
}

const vendor = "libopus"

/** Encodes the packet `OpusTags` without any comment (RFC 7845, section 5.2). */
const encodeTags = (): Uint8Array => {
  const packet = magic(`OpusTags\0\0\0\0${vendor}`, 8 + 4 + vendor.length + 4)
  new DataView(packet.buffer).setUint32(8, vendor.length, true)
  return packet
}

/** Encodes Opus in Ogg by libopus. Players skip its lead-in, and end where the audio ends. */
export const encodeOpus = async ({ originalRate, rate: inputRate, samples }: EncodeJob): Promise<Uint8Array> => {
  const { Application, createEncoder } = await import("libopus-wasm")
  const rate = opusRates.find((candidate) => candidate === inputRate) ?? opusClockRate
  const encoder = await createEncoder({
    sampleRate: rate,
    channels: 1,
    application: Application.Audio,
    bitrate: bitrateOf(rate)
  })
  const preSkip = encoder.getLookahead() * opusClockRate / rate
  const end = preSkip + samples.length * opusClockRate / rate
  const count = Math.max(1, Math.ceil(end * packetsPerSecond / opusClockRate))

  const packetAt = (index: number): Uint8Array => {
    const frame = new Float32Array(rate / packetsPerSecond)
    frame.set(samples.subarray(index * frame.length, (index + 1) * frame.length))
    return encoder.encodeFloat(frame)
  }

  const pages = [
    encodeOggPage({ packets: [encodeHead(originalRate, preSkip)], position: 0, sequence: 0, isLast: false }),
    encodeOggPage({ packets: [encodeTags()], position: 0, sequence: 1, isLast: false })
  ]
  try {
    for (let first = 0; first < count; first += packetsPerPage) {
      const next = Math.min(count, first + packetsPerPage)
      const isLast = next === count
      const packets = Array.from({ length: next - first }, (_, at) => packetAt(first + at))
      const position = isLast ? end : next * opusClockRate / packetsPerSecond
      pages.push(encodeOggPage({ packets, position, sequence: pages.length, isLast }))
    }
  } finally {
    encoder.free()
  }
  // Small buffers are part of a pool of memory, all of which would be sent.
  return new Uint8Array(Buffer.concat(pages))
}

/** Header of an Opus stream (RFC 7845, section 5.1). */
interface OpusHead {
  readonly channels: 1 | 2
  /** Number of samples to drop at the start. */
  readonly preSkip: number
  /** Factor of all samples. */
  readonly gain: number
}

const parseHead = (packet: Uint8Array | undefined): OpusHead => {
  if (packet === undefined || packet.length < 19) throw new UnreadableClip("The Opus file has no valid header")
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength)
  const channels = view.getUint8(9)
  if (view.getUint8(18) !== 0 || (channels !== 1 && channels !== 2)) {
    throw new UnreadableClip("The Opus file has more than two channels")
  }
  return { channels, preSkip: view.getUint16(10, true), gain: 10 ** (view.getInt16(16, true) / 256 / 20) }
}

const deinterleave = (samples: Float32Array, { channels, gain }: OpusHead): Channels =>
  Array.from(
    { length: channels },
    (_, channel) =>
      Float32Array.from(
        { length: samples.length / channels },
        (_, at) => (samples[at * channels + channel] ?? 0) * gain
      )
  )

/**
 * Decodes Opus in Ogg by libopus, without the lead-in and the padding at the end. Positions count from the start of the
 * recording, which may be long before the start of the stream.
 */
export const decodeOpus = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { createDecoder, isOpusError } = await import("libopus-wasm")
  const pages = oggPackets(bytes)
  const head = parseHead(pages.next().value?.packets[0])
  const decoder = await createDecoder({ sampleRate: opusClockRate, channels: head.channels })
  let hasTags = false
  let start: number | null = null
  let sampleCount = 0
  try {
    for (const { isLast, packets, position } of pages) {
      if (packets.length === 0) continue
      if (!hasTags) {
        hasTags = true
        continue
      }
      const before = sampleCount
      for (const packet of packets) {
        const channels = deinterleave(decoder.decodeFloat(packet), head)
        const length = channels[0]?.length ?? 0
        const from = Math.max(0, head.preSkip - sampleCount)
        const to = isLast ? Math.max(from, position - (start ?? 0) - sampleCount) : length
        sampleCount += length
        if (!intake.add(channels.map((channel) => channel.subarray(from, to)), opusClockRate)) return
      }
      start ??= Math.max(0, position - (sampleCount - before))
    }
  } catch (error) {
    throw isOpusError(error) ? new UnreadableClip("The Opus file is damaged") : error
  } finally {
    decoder.free()
  }
}
