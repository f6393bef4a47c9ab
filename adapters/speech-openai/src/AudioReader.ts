import {
  bytesOfSample,
  type Frames,
  isWav,
  joinedBytes,
  makeResampler,
  soundOfFrames,
  wavFrames
} from "@trunkline/audio"
import { Either } from "effect"
import type { ResponseFormat } from "./SpeechDialect.js"

/** What an answer turns out to be; with `not`, why it is no sound, in a word. */
type DetectedFormat = ResponseFormat | { readonly not: string }

/** How many bytes tell. */
const signatureBytes = 12

const otherType = /^(text\/|video\/|application\/([a-z.-]+\+)?(json|xml)|audio\/(mpeg|mp3|mp4|aac|ogg|opus|webm|flac))/

/** The containers of sound that is compressed, by how they begin. */
const otherContainer = /^(ID3|OggS|fLaC)/

const isText = (beginning: string): boolean => /^[\t\n\r\x20-\x7E]{12}$/.test(beginning)

/**
 * Tells by its content type, and by its first bytes, what an answer is. WAV is believed whatever it is called, and bare
 * samples are never twelve letters of text.
 */
const detectFormat = (
  bytes: Uint8Array,
  { promised, type }: { readonly promised: ResponseFormat; readonly type: string }
): DetectedFormat => {
  const beginning = Buffer.from(bytes.subarray(0, signatureBytes)).toString("latin1")
  if (isWav(bytes)) return "wav"
  if (otherType.test(type)) return { not: "another type than sound" }
  if (isText(beginning)) return { not: "text" }
  if (otherContainer.test(beginning)) return { not: "compressed sound" }
  return promised === "pcm" ? "pcm" : { not: "no WAV" }
}

/** What stands before the sound of a WAV file that is still arriving. */
interface WavHeaderInfo extends Omit<Frames, "bytes"> {
  /** Where the sound begins. */
  readonly from: number
  /** Where it ends: before whatever follows it in the file; otherwise it goes on for as long as bytes come. */
  readonly to: number
}

/** What may follow the sound of a file, in bytes: names and remarks. */
const maxTailBytes = 64 * 1024

/**
 * Reads the beginning of a WAV file; null while that is not all there. Who writes a file while the sound is still made
 * writes sizes that are not true, so the size of the sound is believed only where by the size of the file a little more
 * comes after it.
 */
const parseWavHeader = (bytes: Uint8Array): WavHeaderInfo | null =>
  Either.match(wavFrames(bytes), {
    onLeft: () => null,
    onRight: ({ bytes: sound, channels, encoding, rate }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const from = sound.byteOffset - bytes.byteOffset
      const size = view.getUint32(from - 4, true)
      const tail = view.getUint32(4, true) + 8 - (from + size)
      const isFollowed = tail >= 8 && tail <= maxTailBytes
      return { channels, encoding, rate, from, to: isFollowed ? from + size : Number.POSITIVE_INFINITY }
    }
  })

/** Samples that are ready, perhaps none; or why it is no sound, in a word. */
type ReadResult = Either.Either<Float32Array, string>

/** Reads the sound of an answer, however it is cut into pieces. */
interface AudioReader {
  readonly push: (bytes: Uint8Array) => ReadResult
  /** The rest, after the last piece. */
  readonly end: () => ReadResult
}

/** What is read before it has to be clear where the sound of a WAV file begins. */
const maxHeaderBytes = 64 * 1024

const noSamples = new Float32Array(0)

/** Reads what is sure to be sound. */
interface FrameReader {
  readonly push: (bytes: Uint8Array) => Float32Array
  readonly end: () => Float32Array
}

/** Reads frames, at whatever rate, and gives samples at the one that is wanted. */
const makeFrameReader = (
  { to, ...frames }: Omit<Frames, "bytes"> & { readonly to: number },
  wanted: number
): FrameReader => {
  const size = frames.channels * bytesOfSample(frames.encoding)
  const resampler = makeResampler({ from: frames.rate, to: wanted })
  let left = to
  let carried = new Uint8Array(0)
  return {
    push: (bytes) => {
      const wholly = joinedBytes([carried, bytes.subarray(0, left)])
      left -= Math.min(left, bytes.length)
      const length = wholly.length - wholly.length % size
      carried = wholly.slice(length)
      return resampler.push(soundOfFrames({ ...frames, bytes: wholly.subarray(0, length) }).samples)
    },
    end: resampler.end
  }
}

/** Reads an answer that should be sound: `type` is its content type, `rate` that of bare samples and of what comes out. */
export const makeAudioReader = (
  { promised, rate, type }: { readonly promised: ResponseFormat; readonly rate: number; readonly type: string }
): AudioReader => {
  let opening: Uint8Array = new Uint8Array(0)
  let reader: FrameReader | undefined

  const open = (): ReadResult => {
    const beginning = detectFormat(opening, { promised, type })
    if (typeof beginning !== "string") return Either.left(beginning.not)
    if (beginning === "pcm") {
      reader = makeFrameReader({ encoding: "s16", rate, channels: 1, to: Number.POSITIVE_INFINITY }, rate)
      return Either.right(reader.push(opening))
    }
    const wav = parseWavHeader(opening)
    if (wav === null) {
      return opening.length > maxHeaderBytes ? Either.left("a WAV file without sound") : Either.right(noSamples)
    }
    reader = makeFrameReader({ ...wav, to: wav.to - wav.from }, rate)
    return Either.right(reader.push(opening.subarray(wav.from)))
  }

  return {
    push: (bytes) => {
      if (reader !== undefined) return Either.right(reader.push(bytes))
      opening = joinedBytes([opening, bytes])
      return opening.length < signatureBytes ? Either.right(noSamples) : open()
    },
    end: () => {
      if (reader !== undefined) return Either.right(reader.end())
      return opening.length < signatureBytes ? open() : Either.left("a WAV file without sound")
    }
  }
}
