import { oggPackets } from "../ogg/ReadOgg.js"
import type { Channels, Intake } from "./Intake.js"
import { Unreadable } from "./Unreadable.js"

/** The rate at which Opus is decoded, and at which it counts, whatever was written. */
const rate = 48_000

/** What an Opus stream begins with (RFC 7845, 5.1). */
interface OpusHead {
  readonly channels: 1 | 2
  /** How many samples come before the sound. */
  readonly before: number
  /** What samples are multiplied with. */
  readonly gain: number
}

const readHead = (packet: Uint8Array | undefined): OpusHead => {
  if (packet === undefined || packet.length < 19) throw new Unreadable("The Opus file does not begin as one")
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength)
  const channels = view.getUint8(9)
  if (view.getUint8(18) !== 0 || (channels !== 1 && channels !== 2)) {
    throw new Unreadable("The Opus file has more than two channels")
  }
  return { channels, before: view.getUint16(10, true), gain: 10 ** (view.getInt16(16, true) / 256 / 20) }
}

const channelsOf = (samples: Float32Array, { channels, gain }: OpusHead): Channels =>
  Array.from(
    { length: channels },
    (_, channel) =>
      Float32Array.from(
        { length: samples.length / channels },
        (_, at) => (samples[at * channels + channel] ?? 0) * gain
      )
  )

/**
 * Reads Opus in Ogg by libopus, without what comes before and after the sound. Positions count from where the recording
 * began, which may be long before the stream does.
 */
export const decodeOpus = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { createDecoder, isOpusError } = await import("libopus-wasm")
  const pages = oggPackets(bytes)
  const head = readHead(pages.next().value?.packets[0])
  const decoder = await createDecoder({ sampleRate: rate, channels: head.channels })
  let hasTags = false
  let start: number | null = null
  let played = 0
  try {
    for (const { isLast, packets, position } of pages) {
      if (packets.length === 0) continue
      if (!hasTags) {
        hasTags = true
        continue
      }
      const before = played
      for (const packet of packets) {
        const channels = channelsOf(decoder.decodeFloat(packet), head)
        const length = channels[0]?.length ?? 0
        const from = Math.max(0, head.before - played)
        const to = isLast ? Math.max(from, position - (start ?? 0) - played) : length
        played += length
        if (!intake.add(channels.map((channel) => channel.subarray(from, to)), rate)) return
      }
      start ??= Math.max(0, position - (played - before))
    }
  } catch (error) {
    throw isOpusError(error) ? new Unreadable("The Opus file is damaged") : error
  } finally {
    decoder.free()
  }
}
