import { concatBytes } from "@trunkline/kernel"
import { Effect, Either } from "effect"
import { auFrames } from "../au/AuFrames.js"
import { alaw, mulaw } from "../g711/G711.js"
import { frameCount, type Frames, readFrames } from "../pcm/Frames.js"
import { toLinear16 } from "../pcm/Pcm16.js"
import { wavFrames } from "../wav/WavFrames.js"
import { wavHeader } from "../wav/WavHeader.js"
import type { AudioCodecs, Clip } from "./AudioCodecs.js"
import type { AudioCodec, StreamCodec } from "./AudioFormat.js"
import { type ClipFormat, formatOf } from "./ClipFormat.js"
import { ClipRefused, CodecUnavailable } from "./CodecErrors.js"
import { headerlessCodecOf, headerlessFrames } from "./Headerless.js"
import { withinLimit } from "./WithinLimit.js"

/** The codecs that need no library. */
export type PlainCodec = Exclude<StreamCodec, "mp3">

const writers: Readonly<Record<PlainCodec, (samples: Float32Array) => Uint8Array>> = {
  wav: toLinear16,
  linear16: toLinear16,
  mulaw: mulaw.encode,
  alaw: alaw.encode
}

const written: ReadonlyArray<PlainCodec> = ["wav", "linear16", "mulaw", "alaw"]

/** The codec of each format that cannot be read without a library. */
const compressed: Readonly<Partial<Record<ClipFormat, AudioCodec>>> = {
  "mp3": "mp3",
  "flac": "flac",
  "ogg-opus": "opus",
  "aac-adts": "aac",
  "mp4": "aac"
}

const unavailable = (codec: AudioCodec): CodecUnavailable =>
  new CodecUnavailable({ codec, message: `No library for ${codec} is set up` })

const plainCodec = (codec: AudioCodec): Effect.Effect<PlainCodec, CodecUnavailable> => {
  const found = written.find((plain) => plain === codec)
  return found === undefined ? unavailable(codec) : Effect.succeed(found)
}

const unreadable = (): ClipRefused =>
  new ClipRefused({ reason: "unreadable", message: "It is in no format that is read here" })

const framesOf = (clip: Clip): Either.Either<Frames, ClipRefused | CodecUnavailable> => {
  if (clip.bytes.length === 0) return Either.left(new ClipRefused({ reason: "empty", message: "It is an empty file" }))
  const format = formatOf(clip.bytes, clip)
  if (format === "wav") return wavFrames(clip.bytes)
  if (format === "au") return auFrames(clip.bytes)
  const codec = format === "raw" ? headerlessCodecOf(clip) : null
  if (codec !== null) return headerlessFrames(clip.bytes, { codec, hint: clip })
  const missing = format === null ? undefined : compressed[format]
  return Either.left(missing === undefined ? unreadable() : unavailable(missing))
}

/** Numbers that are worked on without a pause: some milliseconds' worth. */
const atOnce = 262_144

/** Some work on each of many places, which takes as long as `weight` numbers do. */
interface Work {
  readonly pause: Effect.Effect<void>
  readonly weight: number
  readonly work: (from: number, to: number) => void
}

const inSlices = (places: number, { pause, weight, work }: Work): Effect.Effect<void> =>
  Effect.gen(function*() {
    const slice = Math.ceil(atOnce / weight)
    for (let from = 0; from < places; from += slice) {
      if (from > 0) yield* pause
      work(from, Math.min(places, from + slice))
    }
  })

/**
 * The codecs that need no library. They work through a sound in slices of some milliseconds, and wait for `pause` between
 * two: the next macrotask, where there is an event loop to be kept turning.
 */
export const plainCodecs = (pause: Effect.Effect<void>): (typeof AudioCodecs)["Service"] => ({
  written,
  encoder: ({ codec: asked, rate }) =>
    Effect.map(plainCodec(asked), (codec) => {
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
  encode: ({ samples }, { codec: asked, rate }) =>
    Effect.gen(function*() {
      const codec = yield* plainCodec(asked)
      const pieces = codec === "wav" ? [wavHeader({ rate, samples: samples.length })] : []
      const work = (from: number, to: number) => pieces.push(writers[codec](samples.subarray(from, to)))
      yield* inSlices(samples.length, { pause, weight: 1, work })
      return concatBytes(pieces)
    }),
  decode: (clip, limit) =>
    Effect.gen(function*() {
      const frames = yield* Either.flatMap(framesOf(clip), (frames) => withinLimit(frames, limit))
      const samples = new Float32Array(frameCount(frames))
      const work = (from: number, to: number) => readFrames(frames, { from, to, samples })
      yield* inSlices(samples.length, { pause, weight: frames.channels, work })
      return { rate: frames.rate, samples }
    })
})
