import { Either } from "effect"
import { ClipRejected } from "../pcm/AudioFormat.js"
import { checkDuration, decodeFrames, type Frames, isPlausibleRate, type SampleEncoding } from "../pcm/Frames.js"
import type { Audio } from "../Sound.js"
import { id3Length } from "./Id3.js"

const extensibleFormat = 0xFFFE

/** Sample encodings by format code and bytes per sample. */
const encodings: Readonly<Record<number, Readonly<Record<number, SampleEncoding>>>> = {
  1: { 1: "u8", 2: "s16", 3: "s24", 4: "s32" },
  3: { 4: "f32", 8: "f64" },
  6: { 1: "alaw" },
  7: { 1: "mulaw" }
}

/** A section of a file, in bytes; `to` is exclusive. */
interface Section {
  readonly from: number
  readonly to: number
}

const unreadable = (message: string) => Either.left(new ClipRejected({ reason: "unreadable", message }))

/** A chunk id as a big-endian number. */
const tag = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0)

const [riffTag, rf64Tag, ds64Tag] = [tag("RIFF"), tag("RF64"), tag("ds64")]
const [waveTag, fmtTag, dataTag] = [tag("WAVE"), tag("fmt "), tag("data")]

/** True for bytes that begin with the header of a WAV file, after an ID3 tag where there is one. */
export const isWav = (file: Uint8Array): boolean => {
  const bytes = file.subarray(id3Length(file))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return bytes.length >= 12 && [riffTag, rf64Tag].includes(view.getUint32(0)) && view.getUint32(8) === waveTag
}

/** Size field of a stream whose length is not known yet, and of data whose size is in another chunk. */
const unknownSize = 0xFF_FF_FF_FF

/** Largest number of chunks that are scanned: real files have a few, and millions would take too long. */
const maxChunks = 1_000

const isEven = (size: number): boolean => size % 2 === 0

/** True if an index holds the name of a chunk that a sound needs. */
const isChunk = (view: DataView, at: number): boolean =>
  at + 8 <= view.byteLength && [fmtTag, dataTag].includes(view.getUint32(at))

/** True if the bytes from an index on are whole chunks, whose ids are printable, or none. */
const areChunks = (view: DataView, from: number): boolean => {
  let at = from
  for (let chunks = 0; chunks < maxChunks && at + 8 <= view.byteLength; chunks++) {
    for (let letter = at; letter < at + 4; letter++) {
      if (view.getUint8(letter) < 0x20 || view.getUint8(letter) > 0x7E) return false
    }
    const size = view.getUint32(at + 4, true)
    at += 8 + size + (size & 1)
  }
  return at === view.byteLength || at === view.byteLength + 1
}

/**
 * Finds the first `fmt ` and the first `data` chunk. Streaming writers do not know the size of the data and write
 * 0xFFFFFFFF (as RF64 does), 0 or a guess; the data then extends to the end of the file. A data size of 0 is trusted only if nothing but
 * chunks follows.
 */
const chunksOf = (view: DataView): { readonly fmt: Section | null; readonly data: Section | null } => {
  let fmt: Section | null = null
  let data: Section | null = null
  let at = 12
  let dataSize = unknownSize
  for (let chunks = 0; chunks < maxChunks && at + 8 <= view.byteLength; chunks++) {
    const name = view.getUint32(at)
    const from = at + 8
    const sizeField = view.getUint32(at + 4, true)
    const size = name === dataTag && sizeField === unknownSize ? dataSize : sizeField
    // Sizes of 64 bits (EBU Tech 3306): that of the file, then that of the data.
    if (name === ds64Tag && from + 16 <= view.byteLength) dataSize = Number(view.getBigUint64(from + 8, true))
    const isEndless = from + size > view.byteLength || (name === dataTag && size === 0 && !areChunks(view, from))
    const to = isEndless ? view.byteLength : from + size
    if (name === dataTag) data ??= { from, to }
    if (name === fmtTag) fmt ??= { from, to }
    // Some writers leave out the byte after a chunk of odd size: the next name tells.
    at = isEven(size) || (isChunk(view, to) && !isChunk(view, to + 1)) ? to : to + 1
  }
  return { fmt, data }
}

/**
 * Parses a WAV file with PCM of 8, 16, 24 or 32 bits, floats of 32 or 64 bits, A-law or mu-law, declared directly or by
 * `WAVE_FORMAT_EXTENSIBLE`. Chunks may be in any order, and the last may be truncated. Fails with `unreadable`.
 */
export const wavFrames = (file: Uint8Array): Either.Either<Frames, ClipRejected> => {
  if (!isWav(file)) return unreadable("It is not a WAV file")
  const bytes = file.subarray(id3Length(file))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { data, fmt } = chunksOf(view)
  if (fmt === null || fmt.to - fmt.from < 16) return unreadable("The WAV file does not say what its format is")
  if (data === null) return unreadable("The WAV file holds no sound")
  const code = view.getUint16(fmt.from, true)
  const isExtended = code === extensibleFormat && fmt.to - fmt.from >= 26
  const channels = view.getUint16(fmt.from + 2, true)
  const rate = view.getUint32(fmt.from + 4, true)
  const size = view.getUint16(fmt.from + 12, true) / channels
  const encoding = encodings[isExtended ? view.getUint16(fmt.from + 24, true) : code]?.[size]
  if (encoding === undefined) return unreadable("The WAV file is of a kind that is not read here")
  if (!isPlausibleRate(rate)) return unreadable("The WAV file has no rate that a sound may have")
  return Either.right({ bytes: bytes.subarray(data.from, data.to), encoding, rate, channels })
}

/**
 * Decodes a WAV file of any kind that `wavFrames` parses, mixing its channels into one. Fails with `unreadable`, `empty`,
 * or `too_long` before any sample is decoded.
 */
export const readWav = (
  bytes: Uint8Array,
  limit: { readonly seconds: number }
): Either.Either<Audio, ClipRejected> =>
  wavFrames(bytes).pipe(
    Either.flatMap((frames) => checkDuration(frames, limit)),
    Either.map(decodeFrames)
  )

/** Size of the header that `wavHeader` writes, in bytes. */
export const wavHeaderBytes = 44

/**
 * Encodes the header of a WAV file with one channel of 16-bit PCM. `samples` is the number of samples that follow; null
 * if it is not known yet, which sets both sizes to 0xFFFFFFFF.
 */
export const wavHeader = (
  { rate, samples }: { readonly rate: number; readonly samples: number | null }
): Uint8Array => {
  const header = new Uint8Array(wavHeaderBytes)
  header.set(new TextEncoder().encode("RIFF....WAVEfmt ....................data"))
  const view = new DataView(header.buffer)
  view.setUint32(4, samples === null ? unknownSize : wavHeaderBytes - 8 + samples * 2, true)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  view.setUint32(40, samples === null ? unknownSize : samples * 2, true)
  return header
}
