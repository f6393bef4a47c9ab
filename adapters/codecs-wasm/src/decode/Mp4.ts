import { readAacConfig } from "../aac/AacConfig.js"
import { AacDecoder } from "../aac/AacDecoder.js"
import { BitReader } from "../aac/BitReader.js"
import type { Intake } from "./Intake.js"
import { Unreadable } from "./Unreadable.js"

const readTrack = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { BufferSource, EncodedPacketSink, Input, MP4, QTFF } = await import("mediabunny")
  const input = new Input({ formats: [MP4, QTFF], source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw new Unreadable("The MP4 file holds no sound")
  const description = (await track.getDecoderConfig())?.description
  if (await track.getCodec() !== "aac" || description === undefined) {
    throw new Unreadable("The MP4 file holds a sound that is not AAC")
  }
  const config = readAacConfig(new Uint8Array(description))
  const decoder = new AacDecoder(config)
  for await (const { data, duration, timestamp } of new EncodedPacketSink(track).packets()) {
    const from = Math.max(0, Math.round(-timestamp * config.rate))
    const to = Math.round(duration * config.rate)
    const channels = decoder.block(new BitReader(data))
    if (!intake.add(channels.map((channel) => channel.subarray(from, to)), config.rate)) return
  }
}

/**
 * Reads the first sound of an MP4 file, such as an `.m4a`, that is AAC: from where it is to be played to where it
 * ends.
 */
export const decodeMp4 = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  try {
    await readTrack(bytes, intake)
  } catch (error) {
    // What mediabunny throws of a damaged file may be any error.
    throw error instanceof Unreadable ? error : new Unreadable("The MP4 file is damaged")
  }
}
