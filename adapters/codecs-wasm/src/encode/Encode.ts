import type { CompressedCodec, Writing } from "../thread/Messages.js"
import { encodeAac } from "./Aac.js"
import { encodeFlac } from "./Flac.js"
import { encodeMp3 } from "./Mp3.js"
import { encodeOpus } from "./Opus.js"

const encoders: Readonly<Record<CompressedCodec, (writing: Writing) => Promise<Uint8Array>>> = {
  mp3: encodeMp3,
  flac: encodeFlac,
  opus: encodeOpus,
  aac: encodeAac
}

/**
 * Writes a whole sound, which is clamped where it is louder than full scale. Throws what is a fault of ours or a
 * library's.
 */
export const encode = (writing: Writing): Promise<Uint8Array> => {
  const { codec, samples } = writing
  for (let at = 0; at < samples.length; at++) samples[at] = Math.max(-1, Math.min(1, samples[at] ?? 0))
  return encoders[codec](writing)
}
