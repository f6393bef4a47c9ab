import { adtsFrames, parseAudioSpecificConfig } from "../aac/AacConfig.js"
import { AacDecoder } from "../aac/AacDecoder.js"
import { AacError } from "../aac/BitReader.js"
import { type Intake, skipId3Tag, UnreadableClip } from "../Intake.js"

const reasons = {
  damaged: "The AAC in it is damaged",
  unsupported: "It is a kind of AAC that is not supported: only AAC-LC is"
} as const

/** An error as one of a clip that cannot be decoded, when it is one of the AAC stream. */
const unreadable = (error: unknown): unknown =>
  error instanceof AacError ? new UnreadableClip(reasons[error.reason]) : error

/** Decodes ADTS up to its end or its last whole frame. The first block is dropped: it only leads to the next one. */
export const decodeAdts = async (file: Uint8Array, intake: Intake): Promise<void> => {
  let decoder: AacDecoder | null = null
  let count = 0
  try {
    for (const { bits, blocks, config } of adtsFrames(skipId3Tag(file))) {
      decoder ??= new AacDecoder(config)
      for (let block = 0; block < blocks; block++) {
        const channels = decoder.decodeBlock(bits)
        count += 1
        if (count > 1 && !intake.add(channels, config.rate)) return
      }
    }
  } catch (error) {
    throw unreadable(error)
  }
  if (count === 0) throw new UnreadableClip("It holds no AAC")
}

const decodeTrack = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { BufferSource, EncodedPacketSink, Input, MP4, QTFF } = await import("mediabunny")
  const input = new Input({ formats: [MP4, QTFF], source: new BufferSource(bytes) })
  const track = await input.getPrimaryAudioTrack()
  if (track === null) throw new UnreadableClip("The MP4 file holds no audio")
  const description = (await track.getDecoderConfig())?.description
  if (await track.getCodec() !== "aac" || description === undefined) {
    throw new UnreadableClip("The MP4 file holds audio that is not AAC")
  }
  const config = parseAudioSpecificConfig(new Uint8Array(description))
  const decoder = new AacDecoder(config)
  for await (const { data, duration, timestamp } of new EncodedPacketSink(track).packets()) {
    const from = Math.max(0, Math.round(-timestamp * config.rate))
    const to = Math.round(duration * config.rate)
    const channels = decoder.decode(data)
    if (!intake.add(channels.map((channel) => channel.subarray(from, to)), config.rate)) return
  }
}

/** Decodes the first audio track of an MP4 file, such as an `.m4a`, which must be AAC, without its edges. */
export const decodeMp4 = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  try {
    await decodeTrack(bytes, intake)
  } catch (error) {
    const failure = unreadable(error)
    // mediabunny may throw any error for a damaged file.
    throw failure instanceof UnreadableClip ? failure : new UnreadableClip("The MP4 file is damaged")
  }
}
