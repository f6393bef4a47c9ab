import { type AudioCodec, type ClipFormat, CodecUnavailable } from "@trunkline/audio"
import { Effect } from "effect"
import { createRequire } from "node:module"
import type { CompressedCodec, CompressedFormat } from "./CodecThreads.js"

/** Packages that encode each codec. */
const encoderPackages: Readonly<Record<CompressedCodec, ReadonlyArray<string>>> = {
  mp3: ["wasm-media-encoders"],
  flac: ["mediabunny", "@mediabunny/flac-encoder"],
  opus: ["libopus-wasm"],
  aac: ["mediabunny", "@mediabunny/aac-encoder"]
}

/** Packages that decode each format. */
const decoderPackages: Readonly<Record<CompressedFormat, ReadonlyArray<string>>> = {
  "mp3": ["mpg123-decoder"],
  "flac": ["@wasm-audio-decoders/flac"],
  "ogg-opus": ["libopus-wasm"],
  "aac-adts": [],
  "mp4": ["mediabunny"]
}

/** True for a codec that needs a library. */
export const isCompressed = (codec: AudioCodec): codec is CompressedCodec => Object.hasOwn(encoderPackages, codec)

/** True for a format that needs a library. */
export const isCompressedFormat = (format: ClipFormat | null): format is CompressedFormat =>
  format !== null && Object.hasOwn(decoderPackages, format)

/** Codec of each format. */
const codecOf: Readonly<Record<CompressedFormat, CompressedCodec>> = {
  "mp3": "mp3",
  "flac": "flac",
  "ogg-opus": "opus",
  "aac-adts": "aac",
  "mp4": "aac"
}

const { resolve } = createRequire(import.meta.url)

/** True when a package is installed, without loading it. One that only has an `import` condition cannot be resolved but counts. */
export const isInstalled = (name: string): boolean => {
  try {
    resolve(name)
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")
  }
}

/** Installed libraries. */
export interface Libraries {
  readonly canEncode: (codec: CompressedCodec) => boolean
  /** Fails when a library that encodes the codec is missing. */
  readonly requireEncoder: (codec: CompressedCodec) => Effect.Effect<void, CodecUnavailable>
  /** Fails when a library that decodes the format is missing. */
  readonly requireDecoder: (format: CompressedFormat) => Effect.Effect<void, CodecUnavailable>
}

/** Looks each package up once. */
export const makeLibraries = (isInstalled: (name: string) => boolean): Libraries => {
  const packages = [...Object.values(encoderPackages), ...Object.values(decoderPackages)].flat()
  const missing = new Set(packages.filter((name) => !isInstalled(name)))

  const requireAll = (
    packages: ReadonlyArray<string>,
    codec: CompressedCodec
  ): Effect.Effect<void, CodecUnavailable> => {
    const neededPackages = packages.filter((name) => missing.has(name))
    return neededPackages.length === 0
      ? Effect.void
      : new CodecUnavailable({
        codec,
        message: `${codec} needs packages that are not installed: npm i ${neededPackages.join(" ")}`
      })
  }

  return {
    canEncode: (codec) => !encoderPackages[codec].some((name) => missing.has(name)),
    requireEncoder: (codec) => requireAll(encoderPackages[codec], codec),
    requireDecoder: (format) => requireAll(decoderPackages[format], codecOf[format])
  }
}
