import { Either } from "effect"
import type { Audio } from "../Sound.js"
import { ClipRejected } from "./AudioFormat.js"
import { alaw, mulaw } from "./SampleFormats.js"

/** Encoding of a sample: little endian except for `be`. */
export type SampleEncoding = "u8" | "s16" | "s16be" | "s24" | "s32" | "f32" | "f64" | "mulaw" | "alaw"

/** Encoded samples of one or more channels; a frame is one sample of each channel. */
export interface Frames {
  /** Bytes of the frames; a last partial frame is ignored. */
  readonly bytes: Uint8Array
  readonly encoding: SampleEncoding
  readonly rate: number
  readonly channels: number
}

/** True for plausible sample rates of files: others are damaged or malicious. */
export const isPlausibleRate = (rate: number): boolean => Number.isInteger(rate) && rate >= 1_000 && rate <= 384_000

/** Clamps float samples, which may exceed full scale or be NaN. */
const clamp = (sample: number): number => Number.isNaN(sample) ? 0 : Math.max(-1, Math.min(1, sample))

const allCodes = Uint8Array.from({ length: 256 }, (_, code) => code)
const mulawSamples = mulaw.decode(allCodes)
const alawSamples = alaw.decode(allCodes)

type ReadSample = (view: DataView, at: number) => number

const encodings: Record<SampleEncoding, { readonly size: number; readonly read: ReadSample }> = {
  u8: { size: 1, read: (view, at) => (view.getUint8(at) - 128) / 128 },
  s16: { size: 2, read: (view, at) => view.getInt16(at, true) / 32_768 },
  s16be: { size: 2, read: (view, at) => view.getInt16(at) / 32_768 },
  s24: { size: 3, read: (view, at) => (view.getInt8(at + 2) * 65_536 + view.getUint16(at, true)) / 8_388_608 },
  s32: { size: 4, read: (view, at) => view.getInt32(at, true) / 2_147_483_648 },
  f32: { size: 4, read: (view, at) => clamp(view.getFloat32(at, true)) },
  f64: { size: 8, read: (view, at) => clamp(view.getFloat64(at, true)) },
  mulaw: { size: 1, read: (view, at) => mulawSamples[view.getUint8(at)] ?? 0 },
  alaw: { size: 1, read: (view, at) => alawSamples[view.getUint8(at)] ?? 0 }
}

/** Size of a sample in bytes. */
export const sampleSize = (encoding: SampleEncoding): number => encodings[encoding].size

/** Number of frames. */
export const frameCount = ({ bytes, channels, encoding }: Frames): number =>
  Math.floor(bytes.length / (channels * sampleSize(encoding)))

/** Decodes frames `from` up to but not including `to` into `samples` at the same indexes, averaging their channels. */
export const readFrames = (
  { bytes, channels, encoding }: Frames,
  { from, samples, to }: { readonly from: number; readonly to: number; readonly samples: Float32Array }
): void => {
  const { read, size } = encodings[encoding]
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = from * channels * size
  for (let frame = from; frame < to; frame++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++, at += size) sum += read(view, at)
    samples[frame] = sum / channels
  }
}

/** Decodes all frames, averaging their channels. */
export const decodeFrames = (frames: Frames): Audio => {
  const samples = new Float32Array(frameCount(frames))
  readFrames(frames, { from: 0, to: samples.length, samples })
  return { rate: frames.rate, samples }
}

/** Fails with `empty` for no frames, and with `too_long` for frames that last longer than the limit. */
export const checkDuration = (
  frames: Frames,
  limit: { readonly seconds: number }
): Either.Either<Frames, ClipRejected> => {
  const count = frameCount(frames)
  if (count === 0) return Either.left(new ClipRejected({ reason: "empty", message: "It holds no sound" }))
  return count > limit.seconds * frames.rate
    ? Either.left(new ClipRejected({ reason: "too_long", message: `It is longer than ${limit.seconds} seconds` }))
    : Either.right(frames)
}
