import { Either } from "effect"
import { ClipRejected } from "../pcm/AudioFormat.js"
import { type Frames, isPlausibleRate, type SampleEncoding } from "../pcm/Frames.js"

const magicNumber = 0x2E_73_6E_64

const unknownSize = 0xFF_FF_FF_FF

const encodings: Readonly<Record<number, SampleEncoding>> = { 1: "mulaw", 3: "s16be", 27: "alaw" }

const unreadable = (message: string) => Either.left(new ClipRejected({ reason: "unreadable", message }))

/** True for bytes that begin with `.snd`, as a Sun audio file does. */
export const isAu = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === magicNumber

/**
 * Parses a Sun audio file with mu-law, A-law or 16-bit PCM. If its size is unknown or too large, the data extends to the
 * end of the file. Fails with `unreadable`.
 */
export const auFrames = (bytes: Uint8Array): Either.Either<Frames, ClipRejected> => {
  if (!isAu(bytes) || bytes.length < 24) return unreadable("It is not a Sun audio file")
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [offset, size, code, rate, channels] = [
    view.getUint32(4),
    view.getUint32(8),
    view.getUint32(12),
    view.getUint32(16),
    view.getUint32(20)
  ]
  const encoding = encodings[code]
  if (encoding === undefined) return unreadable("The Sun audio file is of a kind that is not read here")
  if (offset < 24 || channels === 0 || !isPlausibleRate(rate)) return unreadable("The Sun audio file is damaged")
  const data = bytes.subarray(offset, size === unknownSize ? bytes.length : offset + size)
  return Either.right({ bytes: data, encoding, rate, channels })
}
