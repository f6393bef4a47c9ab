import { Data, Schema } from "effect"

/** Codecs for encoded audio. */
export const AudioCodec = Schema.Literal("mp3", "wav", "linear16", "mulaw", "alaw", "flac", "opus", "aac")
export type AudioCodec = typeof AudioCodec.Type

/** Codecs that can be encoded as a stream. */
export const StreamCodec = AudioCodec.pipe(Schema.pickLiteral("mp3", "wav", "linear16", "mulaw", "alaw"))
export type StreamCodec = typeof StreamCodec.Type

/** Sample rates of encoded audio, in hertz. */
export const SampleRate = Schema.Literal(8000, 16000, 22050, 24000, 32000, 44100, 48000)
export type SampleRate = typeof SampleRate.Type

/** Bitrates of MP3, in kilobits per second. */
export const Bitrate = Schema.Literal("32k", "64k", "96k", "128k", "192k")
export type Bitrate = typeof Bitrate.Type

/** Codec, sample rate and bitrate of encoded audio. */
export interface AudioFormat<C extends AudioCodec = AudioCodec> {
  readonly codec: C
  readonly rate: SampleRate
  /** For MP3 only; default `128k`. MPEG allows at most 64k at 8 kHz and 160k from 16 to 24 kHz; more is reduced to that. */
  readonly bitrate?: Bitrate
}

/** An audio file as received. */
export interface Clip {
  readonly bytes: Uint8Array
  /** File name, if known; identifies formats without a header, such as `clip.ulaw`. */
  readonly filename: string | null
  /** Content type, if known, such as `audio/basic` or `audio/L16; rate=16000`. */
  readonly contentType: string | null
}

/** File name and content type of a clip. */
export type ClipHint = Pick<Clip, "filename" | "contentType">

/** Parts of a content type and a file name. */
export interface HintParts {
  /** Content type in lower case and without parameters; empty if unknown. */
  readonly type: string
  /** Parameters of the content type, with lower-case names. */
  readonly parameters: ReadonlyMap<string, string>
  /** File name extension in lower case; empty if there is none. */
  readonly extension: string
}

/** Parses a hint into its parts. */
export const parseHint = ({ contentType, filename }: ClipHint): HintParts => {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim())
  const pairs = parameters.map((parameter): [string, string] => {
    const [name = "", value = ""] = parameter.split("=").map((part) => part.trim())
    return [name.toLowerCase(), value.replaceAll("\"", "")]
  })
  const [, extension = ""] = /\.([^./\\]+)$/.exec(filename ?? "") ?? []
  return { type: type.toLowerCase(), parameters: new Map(pairs), extension: extension.toLowerCase() }
}

/** The codec is not available in this installation. */
export class CodecUnavailable extends Data.TaggedError("CodecUnavailable")<{
  readonly codec: AudioCodec
  /** Missing component, in words for the user. */
  readonly message: string
}> {}

/** Too much audio is being encoded and decoded at the moment. */
export class CodecsBusy extends Data.TaggedError("CodecsBusy")<{ readonly message: string }> {}

/** A clip that cannot be used. The message explains the reason to the user. */
export class ClipRejected extends Data.TaggedError("ClipRefused")<{
  /** `unreadable`: unknown format or damaged; `too_long`: longer than the limit; `empty`: without any sample. */
  readonly reason: "unreadable" | "too_long" | "empty"
  readonly message: string
}> {}
