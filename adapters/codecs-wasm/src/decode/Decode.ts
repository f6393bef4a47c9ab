import type { CompressedFormat, DecodeJob, Reply } from "../CodecThreads.js"
import { chunksOf, Intake, UnreadableClip } from "../Intake.js"
import { decodeOpus } from "../Opus.js"
import { decodeAdts, decodeMp4 } from "./Aac.js"
import { decodeFlac } from "./Flac.js"

/** Size of chunks; at 8 kbit/s they hold two seconds. */
const mp3ChunkBytes = 2_048

/** Decodes MP3 by mpg123, with the samples that encoders add at the ends: not every file states their number. */
const decodeMp3 = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { MPEGDecoder } = await import("mpg123-decoder")
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  try {
    let samples = 0
    for (const chunk of chunksOf(bytes, mp3ChunkBytes)) {
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(chunk)
      samples += samplesDecoded
      if (!intake.add(channelData, sampleRate)) return
    }
    if (bytes.length > 0 && samples === 0) throw new UnreadableClip("It holds no MP3")
  } finally {
    decoder.free()
  }
}

/** Decoder of a format. */
interface Decoder {
  /** Decodes until the end, or until the intake has enough. Throws `UnreadableClip`. */
  readonly decode: (bytes: Uint8Array, intake: Intake) => Promise<void>
  /** Number of samples that encoders of the format may add and that cannot be told from the audio. */
  readonly padding: number
}

const decoders: Readonly<Record<CompressedFormat, Decoder>> = {
  /** Delays of encoder and decoder, 576 and 529 samples, and two frames. */
  "mp3": { decode: decodeMp3, padding: 576 + 529 + 2 * 1_152 },
  "flac": { decode: decodeFlac, padding: 0 },
  "ogg-opus": { decode: decodeOpus, padding: 0 },
  /** Two blocks. */
  "aac-adts": { decode: decodeAdts, padding: 2 * 1_024 },
  "mp4": { decode: decodeMp4, padding: 1_024 }
}

const rejection = (reason: "unreadable" | "too_long" | "empty", message: string): Reply => ({
  _tag: "Rejected",
  reason,
  message
})

/** Decodes a clip, or says why it cannot. Throws errors that are not due to the clip. */
export const decodeClip = async ({ bytes, format, seconds }: DecodeJob): Promise<Reply> => {
  const { decode, padding } = decoders[format]
  const intake = new Intake({ seconds, padding })
  try {
    await decode(bytes, intake)
  } catch (error) {
    if (!(error instanceof UnreadableClip)) throw error
    return rejection("unreadable", error.message)
  }
  if (intake.isTooLong) return rejection("too_long", `It is longer than ${seconds} seconds`)
  const { audio } = intake
  return audio.samples.length === 0 ? rejection("empty", "It holds no audio") : { _tag: "Decoded", ...audio }
}
