import { Either } from "effect"
import { ClipRefused } from "../codecs/CodecErrors.js"
import { type Frames, isPlausibleRate, type SampleEncoding } from "../pcm/Frames.js"

const EXTENSIBLE = 0xFFFE

/** The encoding of each format code, by how many bytes a sample has. */
const encodings: Readonly<Record<number, Readonly<Record<number, SampleEncoding>>>> = {
  1: { 1: "u8", 2: "s16", 3: "s24", 4: "s32" },
  3: { 4: "f32", 8: "f64" },
  6: { 1: "alaw" },
  7: { 1: "mulaw" }
}

/** Part of a file, from one byte to before another. */
interface Part {
  readonly from: number
  readonly to: number
}

const refused = (message: string) => Either.left(new ClipRefused({ reason: "unreadable", message }))

/** Four letters as the number that they are, big endian. */
const tag = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 256 + letter.charCodeAt(0), 0)

const [RIFF, WAVE, FMT, DATA] = [tag("RIFF"), tag("WAVE"), tag("fmt "), tag("data")]

/** Whether bytes begin as a WAV file does. */
export const isWav = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return bytes.length >= 12 && view.getUint32(0) === RIFF && view.getUint32(8) === WAVE
}

/** How many chunks are looked at: real files have a few, and one of millions would take its time. */
const MOST_CHUNKS = 1_000

/**
 * Where the first `fmt ` and the first `data` chunk are. Who writes while the sound is still made does not know its size,
 * and writes 0xFFFFFFFF, 0 or a guess: then it goes on to the end of the file. A size of 0 is believed only where that
 * of the whole file is right.
 */
const chunksOf = (view: DataView): { readonly fmt: Part | null; readonly data: Part | null } => {
  const isSizeKnown = view.getUint32(4, true) + 8 === view.byteLength
  let fmt: Part | null = null
  let data: Part | null = null
  let at = 12
  for (let chunks = 0; chunks < MOST_CHUNKS && at + 8 <= view.byteLength; chunks++) {
    const name = view.getUint32(at)
    const size = view.getUint32(at + 4, true)
    const from = at + 8
    const isEndless = from + size > view.byteLength || (name === DATA && size === 0 && !isSizeKnown)
    const to = isEndless ? view.byteLength : from + size
    if (name === DATA) data ??= { from, to }
    if (name === FMT) fmt ??= { from, to }
    at = to + (size & 1)
  }
  return { fmt, data }
}

/**
 * What a WAV file holds: PCM of 8, 16, 24 or 32 bits, floats of 32 or 64, A-law or mu-law, named so by itself or by
 * `WAVE_FORMAT_EXTENSIBLE`. Chunks may be in any order, and the last may be cut off. Fails with `unreadable`.
 */
export const wavFrames = (bytes: Uint8Array): Either.Either<Frames, ClipRefused> => {
  if (!isWav(bytes)) return refused("It is not a WAV file")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { data, fmt } = chunksOf(view)
  if (fmt === null || fmt.to - fmt.from < 16) return refused("The WAV file does not say what its format is")
  if (data === null) return refused("The WAV file holds no sound")
  const given = view.getUint16(fmt.from, true)
  const isExtended = given === EXTENSIBLE && fmt.to - fmt.from >= 26
  const channels = view.getUint16(fmt.from + 2, true)
  const rate = view.getUint32(fmt.from + 4, true)
  const size = view.getUint16(fmt.from + 12, true) / channels
  const encoding = encodings[isExtended ? view.getUint16(fmt.from + 24, true) : given]?.[size]
  if (encoding === undefined) return refused("The WAV file is of a kind that is not read here")
  if (!isPlausibleRate(rate)) return refused("The WAV file has no rate that a sound may have")
  return Either.right({ bytes: bytes.subarray(data.from, data.to), encoding, rate, channels })
}
