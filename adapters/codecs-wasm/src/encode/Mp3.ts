import type { Bitrate, SampleRate } from "@trunkline/audio"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { WasmMediaEncoder } from "wasm-media-encoders"
import type { EncodeJob } from "../CodecThreads.js"
import { mp3InfoFrame } from "./Mp3InfoFrame.js"

/** Encoder of one MP3 at a time, with 0.7 to 0.9 MB of memory. Its results are valid until the next call. */
export type Lame = WasmMediaEncoder<"audio/mpeg">

/** Format of an MP3. */
export interface Mp3Format {
  readonly rate: SampleRate
  readonly bitrate: Bitrate
}

/** Number of samples that are encoded at once, which takes some milliseconds. */
export const mp3ChunkSamples = 16_384

const kilobits = { "32k": 32, "64k": 64, "96k": 96, "128k": 128, "192k": 192 } as const

const { resolve } = createRequire(import.meta.url)

/** Makes an encoder, which takes some milliseconds and has to be configured. The first one loads the library. */
export const makeLame = async (): Promise<Lame> => {
  const { createEncoder } = await import("wasm-media-encoders")
  return createEncoder("audio/mpeg", await readFile(resolve("wasm-media-encoders/wasm/mp3")))
}

/** Begins an MP3, and discards the one before. */
export const configureLame = (lame: Lame, { bitrate, rate }: Mp3Format): void =>
  lame.configure({ channels: 1, sampleRate: rate, outputSampleRate: rate, bitrate: kilobits[bitrate] })

/** Factor by which LAME attenuates its input, so that coding does not clip. */
const attenuation = 0.95

/** Encodes more samples, clamped to full scale and amplified against the attenuation, and returns the bytes that are ready. */
export const encodeChunk = (lame: Lame, samples: Float32Array): Uint8Array =>
  lame.encode([samples.map((sample) => Math.max(-1, Math.min(1, sample)) / attenuation)]).slice()

let sharedLame: Lame | null = null

/** Encodes a whole MP3, whose first frame states its length. */
export const encodeMp3 = async ({ bitrate, rate, samples }: EncodeJob): Promise<Uint8Array> => {
  const lame = sharedLame ??= await makeLame()
  configureLame(lame, { bitrate, rate })
  const chunks: Array<Uint8Array> = []
  for (let at = 0; at < samples.length; at += mp3ChunkSamples) {
    chunks.push(encodeChunk(lame, samples.subarray(at, at + mp3ChunkSamples)))
  }
  chunks.push(lame.finalize().slice())
  const mp3 = Buffer.concat(chunks)
  // Small buffers are part of a pool of memory, all of which would be sent.
  return new Uint8Array(Buffer.concat([mp3InfoFrame(mp3, samples.length), mp3]))
}
