import { isAu } from "../au/AuFrames.js"
import { isWav } from "../wav/WavFrames.js"
import { type ClipHint, partsOfHint } from "./ClipHint.js"
import { headerlessCodecOf } from "./Headerless.js"
import { isAdts, isMp3 } from "./SyncWords.js"

/** What a clip is: a container, a self-framing stream, or `raw` samples without a header. */
export type ClipFormat = "wav" | "au" | "flac" | "mp3" | "ogg-opus" | "aac-adts" | "mp4" | "raw"

const has = (bytes: Uint8Array, text: string, at = 0): boolean =>
  at + text.length <= bytes.length &&
  Array.from(text).every((letter, index) => bytes[at + index] === letter.charCodeAt(0))

/** Where the sound begins behind the ID3 tag that some files begin with, or 0. Its size is written 7 bits a byte. */
const behindTag = (bytes: Uint8Array): number => {
  if (!has(bytes, "ID3") || bytes.length < 10) return 0
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10
  return bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7F), 0) + 10 + footer
}

const formatOfBytes = (bytes: Uint8Array): ClipFormat | null => {
  if (isWav(bytes)) return "wav"
  if (isAu(bytes)) return "au"
  if (has(bytes, "OggS") && has(bytes, "OpusHead", 27 + (bytes[26] ?? 0))) return "ogg-opus"
  if (has(bytes, "ftyp", 4)) return "mp4"
  const content = bytes.subarray(behindTag(bytes))
  if (has(content, "fLaC")) return "flac"
  if (isAdts(content)) return "aac-adts"
  return has(bytes, "ID3") || isMp3(content) ? "mp3" : null
}

/** Content types and filename extensions of streams of frames, whose beginning may be cut off. */
const names: ReadonlyMap<string, ClipFormat> = new Map([
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
  ["mp3", "mp3"],
  ["audio/aac", "aac-adts"],
  ["audio/aacp", "aac-adts"],
  ["aac", "aac-adts"],
  ["adts", "aac-adts"]
])

/**
 * What a clip is by its first bytes, or else by its content type, or else by its filename; null when nothing tells. A
 * hint is believed only of formats that have no first bytes of their own: of `raw` ones, and of MP3 and ADTS, which may
 * begin in the midst of a frame. Two sync words a frame apart count as first bytes of these, one alone does not.
 */
export const formatOf = (bytes: Uint8Array, hint: ClipHint): ClipFormat | null => {
  const { extension, type } = partsOfHint(hint)
  const found = formatOfBytes(bytes)
  if (found !== null) return found
  return headerlessCodecOf(hint) === null ? names.get(type) ?? names.get(extension) ?? null : "raw"
}
