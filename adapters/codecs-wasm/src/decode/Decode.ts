import type { Answer, CompressedFormat, Reading } from "../thread/Messages.js"
import { decodeAdts } from "./Adts.js"
import { decodeFlac } from "./Flac.js"
import { Intake } from "./Intake.js"
import { decodeMp3 } from "./Mp3.js"
import { decodeMp4 } from "./Mp4.js"
import { decodeOpus } from "./Opus.js"
import { Unreadable } from "./Unreadable.js"

/** A format, as it is read. */
interface Reader {
  /** Takes in a sound until there is no need to go on. Throws `Unreadable`. */
  readonly read: (bytes: Uint8Array, intake: Intake) => Promise<void>
  /** How many samples its encoders may have added that nobody can tell from the sound. */
  readonly padding: number
}

const readers: Readonly<Record<CompressedFormat, Reader>> = {
  /** The delays of encoder and decoder, 576 and 529 samples, and two frames. */
  "mp3": { read: decodeMp3, padding: 576 + 529 + 2 * 1_152 },
  "flac": { read: decodeFlac, padding: 0 },
  "ogg-opus": { read: decodeOpus, padding: 0 },
  /** Two blocks. */
  "aac-adts": { read: decodeAdts, padding: 2 * 1_024 },
  "mp4": { read: decodeMp4, padding: 1_024 }
}

const refused = (reason: "unreadable" | "too_long" | "empty", message: string): Answer => ({
  _tag: "Refused",
  reason,
  message
})

/** Reads a clip, or tells why not. Throws what is a fault of ours or of a library. */
export const decode = async ({ bytes, format, seconds }: Reading): Promise<Answer> => {
  const { padding, read } = readers[format]
  const intake = new Intake({ seconds, padding })
  try {
    await read(bytes, intake)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return refused("unreadable", error.message)
  }
  if (intake.isTooLong) return refused("too_long", `It is longer than ${seconds} seconds`)
  const sound = intake.sound
  return sound.samples.length === 0 ? refused("empty", "It holds no sound") : { _tag: "Heard", ...sound }
}
