import type { AudioCodec, Bitrate, ClipFormat, PlainCodec, SampleRate } from "@trunkline/audio"
import { makeWorkerPool, type RequestThread, startRequestThread, type WorkerCrashed } from "@trunkline/workers"
import { Data, Effect, Schema, type Scope } from "effect"
import type { ResourceLimits } from "node:worker_threads"

/** Codecs that need a library. */
export type CompressedCodec = Exclude<AudioCodec, PlainCodec>

/** Formats of these codecs. */
export type CompressedFormat = Exclude<ClipFormat, "wav" | "au" | "raw">

/** Audio to encode, in memory that goes to the thread. */
export interface EncodeJob {
  readonly codec: CompressedCodec
  readonly samples: Float32Array<ArrayBuffer>
  /** Rate of the samples; for Opus, one of `opusRates`. */
  readonly rate: SampleRate
  /** Rate before the audio was resampled, which an Opus file names. */
  readonly originalRate: SampleRate
  /** Bitrate of MP3. */
  readonly bitrate: Bitrate
}

/** A clip to decode, in memory that goes to the thread, and its maximum length in seconds. */
export interface DecodeJob {
  readonly format: CompressedFormat
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly seconds: number
}

/** Request to a thread. */
export type CodecJob =
  | { readonly _tag: "Encode"; readonly job: EncodeJob }
  | { readonly _tag: "Decode"; readonly job: DecodeJob }

/** Reply of a thread. `Broken` names the kind of error and none of the data. */
const Reply = Schema.Union(
  Schema.TaggedStruct("Encoded", { bytes: Schema.Uint8ArrayFromSelf }),
  Schema.TaggedStruct("Decoded", { rate: Schema.Number, samples: Schema.instanceOf(Float32Array) }),
  Schema.TaggedStruct("Rejected", {
    reason: Schema.Literal("unreadable", "too_long", "empty"),
    message: Schema.String
  }),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type Reply = typeof Reply.Type

/** A job crashed its thread, or died in it. */
export class JobCrashed extends Data.TaggedError("JobCrashed")<{ readonly kind: string }> {
  override get message() {
    return `A codec crashed: ${this.kind}`
  }
}

/** A thread that does one job at a time. */
export type CodecThread = RequestThread<CodecJob, Reply>

/** Starts a thread for codecs. */
export const startCodecThread = (
  entry: URL,
  options: { readonly resourceLimits: ResourceLimits; readonly workerData?: unknown }
): CodecThread => startRequestThread(entry, { ...options, name: "codecs", decode: Schema.decodeUnknownEither(Reply) })

/** Memory that goes to the thread with a job. */
const memoryOf = ({ _tag, job }: CodecJob): ArrayBuffer => _tag === "Decode" ? job.bytes.buffer : job.samples.buffer

/** Outcome of a job in a thread. */
export type CodecOutcome = Exclude<Reply, { readonly _tag: "Broken" }>

/** Does a job in a thread. */
export const runJob = (thread: CodecThread, job: CodecJob): Effect.Effect<CodecOutcome, JobCrashed> =>
  thread.request(job, [memoryOf(job)]).pipe(
    Effect.catchTag("WorkerCrashed", ({ kind }) => new JobCrashed({ kind })),
    Effect.flatMap((reply) => reply._tag === "Broken" ? new JobCrashed(reply) : Effect.succeed(reply))
  )

/** No thread is available; the message says why to the user. */
class NoThread extends Data.TaggedError("NoThread")<{ readonly message: string }> {}

/** Threads for codecs. */
export interface CodecThreads {
  /** Runs some work with a thread, in order of arrival. Unless the work succeeds, the thread is ended. */
  readonly use: <A, E>(work: (thread: CodecThread) => Effect.Effect<A, E>) => Effect.Effect<A, E | NoThread>
}

/** Number and lifetime of threads. */
export interface CodecThreadsOptions {
  readonly start: () => CodecThread
  /** Number of threads at most. */
  readonly size: number
  /** Number of jobs that may wait for a thread. */
  readonly waiting: number
  /** Time that an idle thread waits for more work before it ends. */
  readonly idleMillis: number
}

/** Time limit of starting a thread, which takes a tenth of a second on an idle core. */
const maxStartTime = "30 seconds"

const failedStart = (kind: string): Effect.Effect<never, NoThread> =>
  Effect.zipRight(
    Effect.logError("The thread for codecs did not start", kind),
    new NoThread({ message: "Audio cannot be encoded or decoded here: no thread starts" })
  )

const awaitReady = (ready: Effect.Effect<void, WorkerCrashed>): Effect.Effect<void, NoThread> =>
  ready.pipe(
    Effect.catchTag("WorkerCrashed", ({ kind }) => failedStart(kind)),
    Effect.timeoutOption(maxStartTime),
    Effect.flatMap((isReady) => isReady._tag === "Some" ? Effect.void : failedStart("Timeout"))
  )

/** Makes threads when there is work. All of them end with the scope. */
export const makeCodecThreads = (
  { idleMillis, size, start, waiting }: CodecThreadsOptions
): Effect.Effect<CodecThreads, never, Scope.Scope> =>
  Effect.map(
    makeWorkerPool({
      start,
      idleMillis,
      limit: {
        size,
        waiting,
        onFull: () => new NoThread({ message: "Too many clips are being encoded and decoded: try again later" })
      }
    }),
    ({ use }) => ({ use: (work) => use((thread) => Effect.zipRight(awaitReady(thread.ready), work(thread))) })
  )
