import type { Bitrate, SampleRate } from "@trunkline/audio"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { WasmMediaEncoder } from "wasm-media-encoders"

/** Writes one MP3 at a time, in 0.7 to 0.9 MB of memory of its own. What it returns is its own until the next call. */
export type Lame = WasmMediaEncoder<"audio/mpeg">

/** How an MP3 is written. */
export interface Mp3Format {
  readonly rate: SampleRate
  readonly bitrate: Bitrate
}

/** Samples that are written without a pause: some milliseconds' worth. */
export const mp3AtOnce = 16_384

const kilobits = { "32k": 32, "64k": 64, "96k": 96, "128k": 128, "192k": 192 } as const

const { resolve } = createRequire(import.meta.url)

/** An encoder that is to be set up, which takes some milliseconds to make. The library is loaded by the first one. */
export const makeLame = async (): Promise<Lame> => {
  const { createEncoder } = await import("wasm-media-encoders")
  return createEncoder("audio/mpeg", await readFile(resolve("wasm-media-encoders/wasm/mp3")))
}

/** Begins an MP3; what was begun before is forgotten. */
export const setUp = (lame: Lame, { bitrate, rate }: Mp3Format): void =>
  lame.configure({ channels: 1, sampleRate: rate, outputSampleRate: rate, bitrate: kilobits[bitrate] })

/** LAME makes every sound so much softer, so that nothing is clipped that is changed by coding. */
const softening = 0.95

/** The bytes that are ready after some more samples, which come back as loud. Beyond full scale they are clamped. */
export const pushTo = (lame: Lame, samples: Float32Array): Uint8Array =>
  lame.encode([samples.map((sample) => Math.max(-1, Math.min(1, sample)) / softening)]).slice()
