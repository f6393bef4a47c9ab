import { Either } from "effect"
import { type ClipHint, ClipRejected, parseHint } from "../pcm/AudioFormat.js"
import { type Frames, isPlausibleRate, type SampleEncoding } from "../pcm/Frames.js"

/** Codecs of clips without a header. */
export type HeaderlessCodec = "mulaw" | "alaw" | "linear16"

interface Headerless {
  readonly encoding: SampleEncoding
  /** Default sample rate: that of telephony, or of speech recognition. */
  readonly rate: number
  readonly extensions: ReadonlyArray<string>
  readonly types: ReadonlyArray<string>
}

const codecs: Readonly<Record<HeaderlessCodec, Headerless>> = {
  mulaw: {
    encoding: "mulaw",
    rate: 8_000,
    extensions: ["ulaw", "ul", "mulaw", "pcmu"],
    types: ["audio/basic", "audio/pcmu", "audio/x-mulaw"]
  },
  alaw: {
    encoding: "alaw",
    rate: 8_000,
    extensions: ["alaw", "al", "pcma"],
    types: ["audio/pcma", "audio/x-alaw"]
  },
  linear16: {
    encoding: "s16",
    rate: 16_000,
    extensions: ["raw", "pcm", "s16", "l16", "linear16"],
    types: ["audio/l16", "audio/pcm", "audio/x-linear16"]
  }
}

const names: ReadonlyArray<HeaderlessCodec> = ["mulaw", "alaw", "linear16"]

/** Detects the codec of a clip without a header by its content type, then by its file name; null if unknown. */
export const detectHeaderlessCodec = (hint: ClipHint): HeaderlessCodec | null => {
  const { extension, type } = parseHint(hint)
  return names.find((name) => codecs[name].types.includes(type)) ??
    names.find((name) => codecs[name].extensions.includes(extension)) ??
    null
}

const parseNumber = (text: string | undefined, fallback: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : fallback

/**
 * Frames of a clip without a header, with the `rate` and `channels` of its content type. The default is one channel at
 * 8,000 hertz for mu-law and A-law, and at 16,000 for linear16.
 *
 * Linear16 is little endian, even as `audio/L16`: RFC 3551 defines it as big endian, but senders use the byte order of
 * their machine and of every voice API. Fails with `unreadable` for an implausible rate or number of channels.
 */
export const headerlessFrames = (
  bytes: Uint8Array,
  { codec, hint }: { readonly codec: HeaderlessCodec; readonly hint: ClipHint }
): Either.Either<Frames, ClipRejected> => {
  const { parameters } = parseHint(hint)
  const { encoding, rate: defaultRate } = codecs[codec]
  const rate = parseNumber(parameters.get("rate"), defaultRate)
  const channels = parseNumber(parameters.get("channels"), 1)
  return isPlausibleRate(rate) && channels > 0
    ? Either.right({ bytes, encoding, rate, channels })
    : Either.left(
      new ClipRejected({ reason: "unreadable", message: "Its content type names a rate or channels that no sound has" })
    )
}
