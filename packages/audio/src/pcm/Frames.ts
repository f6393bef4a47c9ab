import { alaw, mulaw } from "../g711/G711.js"
import type { Sound } from "../Sound.js"

/** How one sample is written: little endian unless `be`. */
export type SampleEncoding = "u8" | "s16" | "s16be" | "s24" | "s32" | "f32" | "f64" | "mulaw" | "alaw"

/** Samples of one or more channels as they lie in a file, a frame being a sample of each. */
export interface Frames {
  /** The frames and nothing else; a last part of one is left out. */
  readonly bytes: Uint8Array
  readonly encoding: SampleEncoding
  readonly rate: number
  readonly channels: number
}

/** The rates that a file may have: what is beyond is damaged or a trick. */
export const isPlausibleRate = (rate: number): boolean => Number.isInteger(rate) && rate >= 1_000 && rate <= 384_000

/** Some files hold louder samples than full scale, and some hold none at all where one should be. */
const clamped = (sample: number): number => Number.isNaN(sample) ? 0 : Math.max(-1, Math.min(1, sample))

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
  f32: { size: 4, read: (view, at) => clamped(view.getFloat32(at, true)) },
  f64: { size: 8, read: (view, at) => clamped(view.getFloat64(at, true)) },
  mulaw: { size: 1, read: (view, at) => mulawSamples[view.getUint8(at)] ?? 0 },
  alaw: { size: 1, read: (view, at) => alawSamples[view.getUint8(at)] ?? 0 }
}

/** How many bytes one sample takes. */
export const bytesOfSample = (encoding: SampleEncoding): number => encodings[encoding].size

/** How many frames there are. */
export const frameCount = ({ bytes, channels, encoding }: Frames): number =>
  Math.floor(bytes.length / (channels * bytesOfSample(encoding)))

/** Some of the frames, their channels mixed into one in equal shares, written to their places in `samples`. */
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

/** All of the frames. */
export const soundOfFrames = (frames: Frames): Sound => {
  const samples = new Float32Array(frameCount(frames))
  readFrames(frames, { from: 0, to: samples.length, samples })
  return { rate: frames.rate, samples }
}
