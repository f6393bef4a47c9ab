import { Data } from "effect"
import type { AudioCodec } from "./AudioFormat.js"

/** This installation cannot write or read the codec. */
export class CodecUnavailable extends Data.TaggedError("CodecUnavailable")<{
  readonly codec: AudioCodec
  /** Which part is missing, for a person. */
  readonly message: string
}> {}

/** There is too much sound to write and read at the moment. */
export class CodecsBusy extends Data.TaggedError("CodecsBusy")<{ readonly message: string }> {}

/** A clip that cannot be used, with the reason for a person. */
export class ClipRefused extends Data.TaggedError("ClipRefused")<{
  /** No known format, or damaged; longer than the limit; or without any sample. */
  readonly reason: "unreadable" | "too_long" | "empty"
  readonly message: string
}> {}
