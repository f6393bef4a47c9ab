import { concatBytes } from "@trunkline/kernel"
import { Context, Effect, Either, Layer, type Scope } from "effect"
import { auFrames } from "../files/Au.js"
import { wavFrames, wavHeader } from "../files/Wav.js"
import {
  type AudioCodec,
  type AudioFormat,
  type Clip,
  ClipRejected,
  type CodecsBusy,
  CodecUnavailable,
  type StreamCodec
} from "../pcm/AudioFormat.js"
import { checkDuration, frameCount, type Frames, readFrames } from "../pcm/Frames.js"
import { alaw, mulaw, toLinear16 } from "../pcm/SampleFormats.js"
import type { Audio } from "../Sound.js"
import { type ClipFormat, detectFormat } from "./ClipFormat.js"
import { detectHeaderlessCodec, headerlessFrames } from "./Headerless.js"

/** Encodes a stream of samples, which have the sample rate of the format. */
export interface AudioEncoder {
  /** Adds samples and returns the bytes that are ready, possibly none. */
  readonly push: (samples: Float32Array) => Effect.Effect<Uint8Array>
  /** Returns the last bytes. No samples can be added afterwards. */
  readonly end: Effect.Effect<Uint8Array>
}

/**
 * Encodes audio and decodes clips. Long work is divided so that the event loop stays responsive.
 *
 * `layerPlain` covers the codecs that need no library; `@trunkline/codecs-wasm` covers all of them.
 *
 * @example
 * ```ts
 * const codecs = yield* AudioCodecs
 * const wav = yield* codecs.encode(audio, { codec: "wav", rate: 16000 })
 * ```
 */
export class AudioCodecs extends Context.Tag("@trunkline/audio/AudioCodecs")<AudioCodecs, {
  /** Codecs that this layer can encode. */
  readonly encodableCodecs: ReadonlyArray<AudioCodec>
  /** Starts encoding a stream. */
  readonly encoder: (
    format: AudioFormat<StreamCodec>
  ) => Effect.Effect<AudioEncoder, CodecUnavailable, Scope.Scope>
  /** Encodes audio, which has the sample rate of the format. Headers state the actual length. */
  readonly encode: (audio: Audio, format: AudioFormat) => Effect.Effect<Uint8Array, CodecUnavailable | CodecsBusy>
  /**
   * Decodes a clip of any supported format at its own sample rate, mixing its channels into one. Fails with `too_long` as
   * soon as the limit is reached instead of decoding more.
   */
  readonly decode: (
    clip: Clip,
    limit: { readonly seconds: number }
  ) => Effect.Effect<Audio, ClipRejected | CodecUnavailable | CodecsBusy>
}>() {
  /** Codecs that need no library: `wav`, `linear16`, `mulaw` and `alaw`. Decodes Sun audio files of these, too. */
  static readonly layerPlain = Layer.sync(AudioCodecs, () => plainCodecs(Effect.yieldNow()))
}

/** A codec that needs no library. */
export type PlainCodec = Exclude<StreamCodec, "mp3">

const writers: Readonly<Record<PlainCodec, (samples: Float32Array) => Uint8Array>> = {
  wav: toLinear16,
  linear16: toLinear16,
  mulaw: mulaw.encode,
  alaw: alaw.encode
}

const writtenPlainCodecs: ReadonlyArray<PlainCodec> = ["wav", "linear16", "mulaw", "alaw"]

/** Codecs of the formats that need a library. */
const libraryCodecs: Readonly<Partial<Record<ClipFormat, AudioCodec>>> = {
  "mp3": "mp3",
  "flac": "flac",
  "ogg-opus": "opus",
  "aac-adts": "aac",
  "mp4": "aac"
}

const unavailable = (codec: AudioCodec): CodecUnavailable =>
  new CodecUnavailable({ codec, message: `No library for ${codec} is set up` })

const plainCodec = (codec: AudioCodec): Effect.Effect<PlainCodec, CodecUnavailable> => {
  const plainCodec = writtenPlainCodecs.find((plain) => plain === codec)
  return plainCodec === undefined ? unavailable(codec) : Effect.succeed(plainCodec)
}

const unreadable = (): ClipRejected =>
  new ClipRejected({ reason: "unreadable", message: "It is in no format that is read here" })

const framesOf = (clip: Clip): Either.Either<Frames, ClipRejected | CodecUnavailable> => {
  if (clip.bytes.length === 0) return Either.left(new ClipRejected({ reason: "empty", message: "It is an empty file" }))
  const format = detectFormat(clip.bytes, clip)
  if (format === "wav") return wavFrames(clip.bytes)
  if (format === "au") return auFrames(clip.bytes)
  const codec = format === "raw" ? detectHeaderlessCodec(clip) : null
  if (codec !== null) return headerlessFrames(clip.bytes, { codec, hint: clip })
  const missing = format === null ? undefined : libraryCodecs[format]
  return Either.left(missing === undefined ? unreadable() : unavailable(missing))
}

/** Samples processed without a pause: some milliseconds' worth. */
const sliceSamples = 262_144

/** Work on a range of frames, each of which costs as much as `weight` samples. */
interface Work {
  readonly pause: Effect.Effect<void>
  readonly weight: number
  readonly work: (from: number, to: number) => void
}

const inSlices = (frames: number, { pause, weight, work }: Work): Effect.Effect<void> =>
  Effect.gen(function*() {
    const slice = Math.ceil(sliceSamples / weight)
    for (let from = 0; from < frames; from += slice) {
      if (from > 0) yield* pause
      work(from, Math.min(frames, from + slice))
    }
  })

/**
 * Makes codecs that need no library. They process audio in slices of some milliseconds and run `pause` between them; use
 * `macroTask` to keep the event loop responsive.
 */
export const plainCodecs = (pause: Effect.Effect<void>): (typeof AudioCodecs)["Service"] => ({
  encodableCodecs: writtenPlainCodecs,
  encoder: ({ codec: requestedText, rate }) =>
    Effect.map(plainCodec(requestedText), (codec) => {
      let header = codec === "wav" ? wavHeader({ rate, samples: null }) : new Uint8Array()
      const write = (samples: Float32Array) => {
        const bytes = concatBytes([header, writers[codec](samples)])
        header = new Uint8Array()
        return bytes
      }
      return {
        push: (samples) => Effect.sync(() => write(samples)),
        end: Effect.sync(() => write(new Float32Array()))
      }
    }),
  encode: ({ samples }, { codec: requestedText, rate }) =>
    Effect.gen(function*() {
      const codec = yield* plainCodec(requestedText)
      const chunks = codec === "wav" ? [wavHeader({ rate, samples: samples.length })] : []
      const work = (from: number, to: number) => chunks.push(writers[codec](samples.subarray(from, to)))
      yield* inSlices(samples.length, { pause, weight: 1, work })
      return concatBytes(chunks)
    }),
  decode: (clip, limit) =>
    Effect.gen(function*() {
      const frames = yield* Either.flatMap(framesOf(clip), (frames) => checkDuration(frames, limit))
      const samples = new Float32Array(frameCount(frames))
      const work = (from: number, to: number) => readFrames(frames, { from, to, samples })
      yield* inSlices(samples.length, { pause, weight: frames.channels, work })
      return { rate: frames.rate, samples }
    })
})
