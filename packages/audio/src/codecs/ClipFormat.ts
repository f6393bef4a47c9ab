import { isAu } from "../files/Au.js"
import { id3Length } from "../files/Id3.js"
import { isWav } from "../files/Wav.js"
import { type ClipHint, parseHint } from "../pcm/AudioFormat.js"
import { detectHeaderlessCodec } from "./Headerless.js"

/** Length of the frame that begins at a position, or 0 if none begins there. */
type FrameLength = (bytes: Uint8Array, at: number) => number

/** True if a frame begins with the bytes, and another one, or nothing, follows it. */
const isFramed = (bytes: Uint8Array, lengthAt: FrameLength): boolean => {
  const first = lengthAt(bytes, 0)
  return first > 0 && (first === bytes.length || lengthAt(bytes, first) > 0)
}

/** Kilobits per second of layer III by header index, for MPEG-1 and for MPEG-2 and 2.5. */
const bitrates = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
} as const

/** Sample rates of MPEG-1 by header index; half of them in MPEG-2, a quarter in MPEG-2.5. */
const rates = [44_100, 48_000, 32_000, 0] as const

const mp3Length: FrameLength = (bytes, at) => {
  const [sync = 0, kind = 0, speed = 0] = bytes.subarray(at, at + 3)
  const version = (kind >> 3) & 3
  if (sync !== 0xFF || (kind & 0xE6) !== 0xE2 || version === 1) return 0
  const isFirst = version === 3
  const bitrate = bitrates[isFirst ? "one" : "two"][speed >> 4] ?? 0
  const rate = (rates[(speed >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4)
  return bitrate === 0 || rate === 0
    ? 0
    : Math.floor((isFirst ? 144_000 : 72_000) * bitrate / rate) + ((speed >> 1) & 1)
}

const adtsLength: FrameLength = (bytes, at) => {
  const [sync = 0, kind = 0, , high = 0, middle = 0, low = 0] = bytes.subarray(at, at + 6)
  const length = ((high & 3) << 11) | (middle << 3) | (low >> 5)
  return sync === 0xFF && (kind & 0xF6) === 0xF0 && length >= 7 ? length : 0
}

/** True for bytes that begin with frames of MPEG layer III. */
const isMp3 = (bytes: Uint8Array): boolean => isFramed(bytes, mp3Length)

/** True for bytes that begin with ADTS frames of AAC. */
const isAdts = (bytes: Uint8Array): boolean => isFramed(bytes, adtsLength)

/** Format of a clip: a container, a self-framing stream, or `raw` samples without a header. */
export type ClipFormat = "wav" | "au" | "flac" | "mp3" | "ogg-opus" | "aac-adts" | "mp4" | "raw"

const hasText = (bytes: Uint8Array, text: string, at = 0): boolean =>
  at + text.length <= bytes.length &&
  Array.from(text).every((letter, index) => bytes[at + index] === letter.charCodeAt(0))

const formatOfBytes = (bytes: Uint8Array): ClipFormat | null => {
  if (isWav(bytes)) return "wav"
  if (isAu(bytes)) return "au"
  if (hasText(bytes, "OggS") && hasText(bytes, "OpusHead", 27 + (bytes[26] ?? 0))) return "ogg-opus"
  if (hasText(bytes, "ftyp", 4)) return "mp4"
  const content = bytes.subarray(id3Length(bytes))
  if (hasText(content, "fLaC")) return "flac"
  if (isAdts(content)) return "aac-adts"
  return hasText(bytes, "ID3") || isMp3(content) ? "mp3" : null
}

/** Content types and file name extensions of framed streams, whose start may be truncated. */
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
 * Detects the format of a clip by its first bytes, then by its content type, then by its file name; null if unknown.
 *
 * Hints count only for formats without a signature: `raw`, and MP3 and ADTS, which may begin inside a frame. Two sync
 * words one frame apart count as a signature of MP3 and ADTS, a single one does not.
 */
export const detectFormat = (bytes: Uint8Array, hint: ClipHint): ClipFormat | null => {
  const { extension, type } = parseHint(hint)
  const format = formatOfBytes(bytes)
  if (format !== null) return format
  return detectHeaderlessCodec(hint) === null ? names.get(type) ?? names.get(extension) ?? null : "raw"
}
