import { bytesOfSample, type Frames, makeResampler, soundOfFrames } from "@trunkline/audio"
import { concatBytes } from "@trunkline/kernel"
import { Either } from "effect"
import type { SoundFormat } from "../dialects/SpeechDialect.js"
import { beginningBytes, beginningOf } from "./Beginning.js"
import { wavOpening } from "./WavOpening.js"

/** Samples that are ready, perhaps none; or why it is no sound, in a word. */
type Read = Either.Either<Float32Array, string>

/** Reads the sound of an answer, however it is cut into pieces. */
export interface SoundReader {
  readonly push: (bytes: Uint8Array) => Read
  /** The rest, after the last piece. */
  readonly end: () => Read
}

/** What is read before it has to be clear where the sound of a WAV file begins. */
const longestOpening = 64 * 1024

const nothing = new Float32Array(0)

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
      const wholly = concatBytes([carried, bytes.subarray(0, left)])
      left -= Math.min(left, bytes.length)
      const length = wholly.length - wholly.length % size
      carried = wholly.slice(length)
      return resampler.push(soundOfFrames({ ...frames, bytes: wholly.subarray(0, length) }).samples)
    },
    end: resampler.end
  }
}

/** Reads an answer that should be sound: `type` is its content type, `rate` that of bare samples and of what comes out. */
export const makeSoundReader = (
  { promised, rate, type }: { readonly promised: SoundFormat; readonly rate: number; readonly type: string }
): SoundReader => {
  let opening: Uint8Array = new Uint8Array(0)
  let reader: FrameReader | undefined

  const open = (): Read => {
    const beginning = beginningOf(opening, { promised, type })
    if (typeof beginning !== "string") return Either.left(beginning.not)
    if (beginning === "pcm") {
      reader = makeFrameReader({ encoding: "s16", rate, channels: 1, to: Number.POSITIVE_INFINITY }, rate)
      return Either.right(reader.push(opening))
    }
    const wav = wavOpening(opening)
    if (wav === null) {
      return opening.length > longestOpening ? Either.left("a WAV file without sound") : Either.right(nothing)
    }
    reader = makeFrameReader({ ...wav, to: wav.to - wav.from }, rate)
    return Either.right(reader.push(opening.subarray(wav.from)))
  }

  return {
    push: (bytes) => {
      if (reader !== undefined) return Either.right(reader.push(bytes))
      opening = concatBytes([opening, bytes])
      return opening.length < beginningBytes ? Either.right(nothing) : open()
    },
    end: () => {
      if (reader !== undefined) return Either.right(reader.end())
      return opening.length < beginningBytes ? open() : Either.left("a WAV file without sound")
    }
  }
}
