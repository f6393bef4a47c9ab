import { type AudioCodec, type ClipFormat, CodecUnavailable } from "@trunkline/audio"
import { Effect } from "effect"
import { createRequire } from "node:module"
import type { CompressedCodec, CompressedFormat } from "./thread/Messages.js"

/** What writes each codec. */
const writers: Readonly<Record<CompressedCodec, ReadonlyArray<string>>> = {
  mp3: ["wasm-media-encoders"],
  flac: ["mediabunny", "@mediabunny/flac-encoder"],
  opus: ["libopus-wasm"],
  aac: ["mediabunny", "@mediabunny/aac-encoder"]
}

/** What reads each format. */
const readers: Readonly<Record<CompressedFormat, ReadonlyArray<string>>> = {
  "mp3": ["mpg123-decoder"],
  "flac": ["@wasm-audio-decoders/flac"],
  "ogg-opus": ["libopus-wasm"],
  "aac-adts": [],
  "mp4": ["mediabunny"]
}

/** Whether a codec needs a library. */
export const isCompressed = (codec: AudioCodec): codec is CompressedCodec => Object.hasOwn(writers, codec)

/** Whether a format does. */
export const isCompressedFormat = (format: ClipFormat | null): format is CompressedFormat =>
  format !== null && Object.hasOwn(readers, format)

/** The codec of each format. */
export const codecOf: Readonly<Record<CompressedFormat, CompressedCodec>> = {
  "mp3": "mp3",
  "flac": "flac",
  "ogg-opus": "opus",
  "aac-adts": "aac",
  "mp4": "aac"
}

const { resolve } = createRequire(import.meta.url)

/** Whether a package is installed, without loading it. One that is for `import` only is found, though not resolved. */
export const isInstalled = (name: string): boolean => {
  try {
    resolve(name)
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")
  }
}

/** The libraries that are there. */
export interface Libraries {
  readonly canWrite: (codec: CompressedCodec) => boolean
  /** Fails when what writes a codec is missing. */
  readonly toWrite: (codec: CompressedCodec) => Effect.Effect<void, CodecUnavailable>
  /** Fails when what reads a format is missing. */
  readonly toRead: (format: CompressedFormat) => Effect.Effect<void, CodecUnavailable>
}

/** `has` tells whether a package is installed; each is looked for once. */
export const makeLibraries = (has: (name: string) => boolean): Libraries => {
  const packages = [...Object.values(writers), ...Object.values(readers)].flat()
  const missing = new Set(packages.filter((name) => !has(name)))

  const need = (packages: ReadonlyArray<string>, codec: CompressedCodec): Effect.Effect<void, CodecUnavailable> => {
    const first = packages.find((name) => missing.has(name))
    return first === undefined
      ? Effect.void
      : new CodecUnavailable({
        codec,
        message: `${first} is not installed, which @trunkline/codecs-wasm brings along: run npm install again`
      })
  }

  return {
    canWrite: (codec) => !writers[codec].some((name) => missing.has(name)),
    toWrite: (codec) => need(writers[codec], codec),
    toRead: (format) => need(readers[format], codecOf[format])
  }
}
