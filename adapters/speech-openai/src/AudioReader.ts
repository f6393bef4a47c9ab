import { decodeFrames, type Frames, isWav, makeResampler, sampleSize, wavFrames } from "@trunkline/audio"
import { concatBytes } from "@trunkline/kernel"
import { Either } from "effect"
import type { ResponseFormat } from "./SpeechDialect.js"

/** Detected format of a response; `not` describes content that is not audio. */
type DetectedFormat = ResponseFormat | { readonly not: string }

/** Bytes needed to detect the format. */
const signatureBytes = 12

const otherType = /^(text\/|video\/|application\/([a-z.-]+\+)?(json|xml)|audio\/(mpeg|mp3|mp4|aac|ogg|opus|webm|flac))/

/** Signatures of compressed audio containers. */
const otherContainer = /^(ID3|OggS|fLaC)/

const isText = (beginning: string): boolean => /^[\t\n\r\x20-\x7E]{12}$/.test(beginning)

/**
 * Detects the format of a response by its content type and first bytes. WAV is recognized under any content type, and
 * twelve printable characters are never headerless samples.
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

/** Format and position of the audio data in a WAV file that is still arriving. */
interface WavHeaderInfo extends Omit<Frames, "bytes"> {
  /** Offset of the audio data. */
  readonly from: number
  /** End of the audio data: before the chunks that follow it, otherwise infinite. */
  readonly to: number
}

/** Largest size of the chunks after the audio data, such as tags. */
const maxTailBytes = 64 * 1024

/**
 * Parses the header of a WAV file; null while it is incomplete. Servers that stream write false sizes, so the size of the
 * audio data is trusted only when the size of the file leaves room for a small tail after it, and never when it is 0.
 */
const parseWavHeader = (bytes: Uint8Array): WavHeaderInfo | null =>
  Either.match(wavFrames(bytes), {
    onLeft: () => null,
    onRight: ({ bytes: audio, channels, encoding, rate }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const from = audio.byteOffset - bytes.byteOffset
      const size = view.getUint32(from - 4, true)
      const tail = view.getUint32(4, true) + 8 - (from + size)
      const isFollowed = size > 0 && tail >= 8 && tail <= maxTailBytes
      return { channels, encoding, rate, from, to: isFollowed ? from + size : Number.POSITIVE_INFINITY }
    }
  })

/** Decoded samples, possibly none; or a short description of content that is not audio. */
type ReadResult = Either.Either<Float32Array, string>

/** Decodes the audio of a response from chunks of any size. */
interface AudioReader {
  readonly push: (bytes: Uint8Array) => ReadResult
  /** Returns the remaining samples after the last chunk. */
  readonly end: () => ReadResult
}

/** Bytes within which the audio data of a WAV file must begin. */
const maxHeaderBytes = 64 * 1024

const noSamples = new Float32Array(0)

/** Decodes frames of known format. */
interface FrameReader {
  readonly push: (bytes: Uint8Array) => Float32Array
  readonly end: () => Float32Array
}

/** Decodes frames and resamples them to the wanted rate. */
const makeFrameReader = (
  { to, ...frames }: Omit<Frames, "bytes"> & { readonly to: number },
  rate: number
): FrameReader => {
  const size = frames.channels * sampleSize(frames.encoding)
  const resampler = makeResampler({ from: frames.rate, to: rate })
  let remaining = to
  let rest = new Uint8Array(0)
  return {
    push: (bytes) => {
      const complete = concatBytes([rest, bytes.subarray(0, remaining)])
      remaining -= Math.min(remaining, bytes.length)
      const length = complete.length - complete.length % size
      rest = complete.slice(length)
      return resampler.push(decodeFrames({ ...frames, bytes: complete.subarray(0, length) }).samples)
    },
    end: resampler.end
  }
}

/** Makes a reader for a response with the content type `type`. `rate` is that of headerless samples and of the output. */
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
      opening = concatBytes([opening, bytes])
      return opening.length < signatureBytes ? Either.right(noSamples) : open()
    },
    end: () => {
      if (reader !== undefined) return Either.right(reader.end())
      return opening.length < signatureBytes ? open() : Either.left("a WAV file without sound")
    }
  }
}
