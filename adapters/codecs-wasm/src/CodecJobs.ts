import {
  type Audio,
  type AudioFormat,
  type Clip,
  ClipRejected,
  CodecsBusy,
  concatSamples,
  durationOf,
  makeResampler
} from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import {
  type CodecThreads,
  type CompressedCodec,
  type CompressedFormat,
  type EncodeJob,
  JobCrashed,
  runJob
} from "./CodecThreads.js"
import { opusClockRate, opusRates } from "./Opus.js"

/** Number of samples that are resampled at once, which takes some milliseconds. */
const resampleChunk = 8_192

/** Time limit of encoding. On an idle core it takes a 20th of the length of the audio, or less. */
const maxEncodeTime = (audio: Audio): Duration.Duration => Duration.seconds(10 + durationOf(audio))

const resample = (samples: Float32Array, from: number): Effect.Effect<Float32Array> =>
  Effect.gen(function*() {
    const resampler = makeResampler({ from, to: opusClockRate })
    const chunks: Array<Float32Array> = []
    for (let at = 0; at < samples.length; at += resampleChunk) {
      if (at > 0) yield* macroTask
      chunks.push(resampler.push(samples.subarray(at, at + resampleChunk)))
    }
    return concatSamples([...chunks, resampler.end()])
  })

/** Audio as its encoder needs it: a copy, and for Opus at one of its rates. */
const encodeJob = (
  { samples }: Audio,
  { bitrate = "128k", codec, rate: originalRate }: AudioFormat<CompressedCodec>
): Effect.Effect<EncodeJob> =>
  Effect.gen(function*() {
    const isSupported = codec !== "opus" || opusRates.some((opusRate) => opusRate === originalRate)
    const rate = isSupported ? originalRate : opusClockRate
    const sound = isSupported ? samples : yield* resample(samples, originalRate)
    return { codec, bitrate, originalRate, rate, samples: new Float32Array(sound) }
  })

/** Encodes audio in a thread; dies when that crashes, or takes far longer than it ever should. */
export const encodeAudio = (
  threads: CodecThreads,
  audio: Audio,
  format: AudioFormat<CompressedCodec>
): Effect.Effect<Uint8Array, CodecsBusy> =>
  threads.use((thread) =>
    Effect.flatMap(encodeJob(audio, format), (job) =>
      Effect.timeoutFail(runJob(thread, { _tag: "Encode", job }), {
        duration: maxEncodeTime(audio),
        onTimeout: () => new JobCrashed({ kind: "Timeout" })
      }))
  ).pipe(
    Effect.catchTags({ NoThread: ({ message }) => new CodecsBusy({ message }), JobCrashed: Effect.die }),
    Effect.flatMap((outcome) =>
      outcome._tag === "Encoded"
        ? Effect.succeed(outcome.bytes)
        : Effect.dieMessage("A thread decoded instead of encoding")
    )
  )

/** Options for decoding a clip. */
export interface DecodeOptions {
  readonly format: CompressedFormat
  /** Maximum length, in seconds. */
  readonly seconds: number
  /** Time limit of decoding, by the clock. */
  readonly limit: Duration.DurationInput
}

const tooSlow = () => new CodecsBusy({ message: "The clip took too long to read here: try again later" })

/**
 * Decodes a clip in a thread. A clip that crashes the thread is unreadable. One that exceeds the time limit is not: Node.js
 * 20 cannot tell the time a thread ran from the time it waited for a core, so it is unknown whether the clip or the load of
 * the machine was the reason. The thread is ended, so that a hostile clip occupies one no longer than the limit.
 */
export const decodeClip = (
  threads: CodecThreads,
  { bytes }: Clip,
  { format, limit, seconds }: DecodeOptions
): Effect.Effect<Audio, ClipRejected | CodecsBusy> =>
  threads.use((thread) =>
    Effect.timeoutFail(
      Effect.suspend(() => runJob(thread, { _tag: "Decode", job: { format, seconds, bytes: new Uint8Array(bytes) } })),
      { duration: limit, onTimeout: tooSlow }
    )
  ).pipe(
    Effect.catchTags({
      NoThread: ({ message }) => new CodecsBusy({ message }),
      JobCrashed: ({ kind }) =>
        Effect.zipRight(
          Effect.logWarning("A clip crashed its decoder", kind),
          new ClipRejected({ reason: "unreadable", message: "It is damaged" })
        )
    }),
    Effect.flatMap((outcome): Effect.Effect<Audio, ClipRejected> => {
      switch (outcome._tag) {
        case "Decoded":
          return Effect.succeed({ rate: outcome.rate, samples: outcome.samples })
        case "Rejected":
          return new ClipRejected({ reason: outcome.reason, message: outcome.message })
        case "Encoded":
          return Effect.dieMessage("A thread encoded instead of decoding")
      }
    })
  )
