import { Either } from "effect"
import { type Frames, isPlausibleRate, type SampleEncoding } from "../pcm/Frames.js"
import { type ClipHint, partsOfHint } from "./ClipHint.js"
import { ClipRefused } from "./CodecErrors.js"

/** The codecs that may come without a header. */
export type HeaderlessCodec = "mulaw" | "alaw" | "linear16"

interface Headerless {
  readonly encoding: SampleEncoding
  /** The rate where nobody says another: that of telephony, or of speech recognition. */
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

/** The codec of a clip without a header by its content type, or else by its filename; null when neither names one. */
export const headerlessCodecOf = (hint: ClipHint): HeaderlessCodec | null => {
  const { extension, type } = partsOfHint(hint)
  return names.find((name) => codecs[name].types.includes(type)) ??
    names.find((name) => codecs[name].extensions.includes(extension)) ??
    null
}

const numberIn = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise

/**
 * What a clip without a header holds. `rate` and `channels` of its content type count; otherwise it is one channel of
 * 8,000 samples a second for mu-law and A-law, and of 16,000 for linear16. Linear16 is little endian, also as
 * `audio/L16`: RFC 3551 says big endian, but those who send it write what their machine and every voice API writes.
 * Fails with `unreadable` when the rate or the channels cannot be.
 */
export const headerlessFrames = (
  bytes: Uint8Array,
  { codec, hint }: { readonly codec: HeaderlessCodec; readonly hint: ClipHint }
): Either.Either<Frames, ClipRefused> => {
  const { parameters } = partsOfHint(hint)
  const { encoding, rate: usual } = codecs[codec]
  const rate = numberIn(parameters.get("rate"), usual)
  const channels = numberIn(parameters.get("channels"), 1)
  return isPlausibleRate(rate) && channels > 0
    ? Either.right({ bytes, encoding, rate, channels })
    : Either.left(
      new ClipRefused({ reason: "unreadable", message: "Its content type names a rate or channels that no sound has" })
    )
}
