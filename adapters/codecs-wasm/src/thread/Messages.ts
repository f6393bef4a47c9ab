import type { AudioCodec, Bitrate, ClipFormat, PlainCodec, SampleRate } from "@trunkline/audio"
import { Schema } from "effect"

/** The codecs that need a library. */
export type CompressedCodec = Exclude<AudioCodec, PlainCodec>

/** The formats of these. */
export type CompressedFormat = Exclude<ClipFormat, "wav" | "au" | "raw">

/** A whole sound to be written, in memory that the thread may have. */
export interface Writing {
  readonly codec: CompressedCodec
  readonly samples: Float32Array<ArrayBuffer>
  /** Its rate: one that Opus takes, where it is to be Opus. */
  readonly rate: SampleRate
  /** The rate that was asked for, as an Opus file names it. */
  readonly asked: SampleRate
  /** Of MP3 only. */
  readonly bitrate: Bitrate
}

/** A clip to be read, in memory that the thread may have, and how many seconds of it there may be. */
export interface Reading {
  readonly format: CompressedFormat
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly seconds: number
}

/** What a thread is asked to do, one job at a time. */
export type Job =
  | { readonly _tag: "Write"; readonly writing: Writing }
  | { readonly _tag: "Read"; readonly reading: Reading }

/** What a thread says: that it can be asked, and then what came of each job. `Broken` names what broke, and no more. */
const Answer = Schema.Union(
  Schema.TaggedStruct("Ready", {}),
  Schema.TaggedStruct("Written", { bytes: Schema.Uint8ArrayFromSelf }),
  Schema.TaggedStruct("Heard", { rate: Schema.Number, samples: Schema.instanceOf(Float32Array) }),
  Schema.TaggedStruct("Refused", {
    reason: Schema.Literal("unreadable", "too_long", "empty"),
    message: Schema.String
  }),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type Answer = typeof Answer.Type

/** Whether a message of a thread is an answer. */
export const isAnswer = Schema.is(Answer)
