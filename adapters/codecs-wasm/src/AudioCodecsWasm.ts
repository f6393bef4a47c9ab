import {
  AudioCodec,
  AudioCodecs,
  type AudioFormat,
  detectFormat,
  plainCodecs,
  type StreamCodec
} from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { entryBeside } from "@trunkline/workers"
import { Duration, Effect, Layer, type Scope } from "effect"
import { decodeClip, encodeAudio } from "./CodecJobs.js"
import { makeCodecThreads, startCodecThread } from "./CodecThreads.js"
import { isCompressed, isCompressedFormat, isInstalled, makeLibraries } from "./Libraries.js"
import { makeMp3Streams } from "./Mp3Streams.js"

/** Limits on the resources that encoding and decoding use. */
export interface AudioCodecsWasmOptions {
  /** Number of threads that encode and decode whole clips at most; 2 by default. There are none without work. */
  readonly threads?: number
  /** Number of clips that may wait for a thread; 64 by default. More fail with `CodecsBusy`. */
  readonly waiting?: number
  /**
   * Time limit of decoding a clip, by the clock and without the wait for a thread; 5 seconds by default. A clip that
   * exceeds it fails with `CodecsBusy`, never as `unreadable`.
   */
  readonly readLimit?: Duration.DurationInput
  /** Time that an idle thread waits for more work before it ends; 30 seconds by default. */
  readonly idle?: Duration.DurationInput
  /** Limit of the JavaScript heap of a thread, in megabytes; 128 by default. */
  readonly heapMegabytes?: number
}

const isMp3 = (format: AudioFormat<StreamCodec>): format is AudioFormat<"mp3"> => format.codec === "mp3"

const make = (
  { heapMegabytes = 128, idle = "30 seconds", readLimit = "5 seconds", threads: size = 2, waiting = 64 }:
    AudioCodecsWasmOptions
): Effect.Effect<(typeof AudioCodecs)["Service"], never, Scope.Scope> =>
  Effect.gen(function*() {
    const libraries = makeLibraries(isInstalled)
    const plain = plainCodecs(macroTask)
    const streams = makeMp3Streams()
    const threads = yield* makeCodecThreads({
      start: () =>
        startCodecThread(entryBeside(import.meta.url, "worker"), {
          resourceLimits: { maxOldGenerationSizeMb: heapMegabytes }
        }),
      size,
      waiting,
      idleMillis: Duration.toMillis(idle)
    })
    return {
      encodableCodecs: AudioCodec.literals.filter((codec) => !isCompressed(codec) || libraries.canEncode(codec)),
      encoder: (format) => {
        if (!isMp3(format)) return plain.encoder(format)
        const { bitrate = "128k", rate } = format
        return Effect.zipRight(libraries.requireEncoder("mp3"), streams.encoder({ bitrate, rate }))
      },
      encode: (audio, format) => {
        const { codec } = format
        if (!isCompressed(codec)) return plain.encode(audio, format)
        return Effect.zipRight(libraries.requireEncoder(codec), encodeAudio(threads, audio, { ...format, codec }))
      },
      decode: (clip, { seconds }) => {
        const format = detectFormat(clip.bytes, clip)
        if (!isCompressedFormat(format)) return plain.decode(clip, { seconds })
        return Effect.zipRight(
          libraries.requireDecoder(format),
          decodeClip(threads, clip, { format, seconds, limit: readLimit })
        )
      }
    }
  })

/**
 * All codecs in process, without ffmpeg. WAV, linear16 and G.711 are those of `@trunkline/audio`. The others come from
 * these libraries, each loaded on first use:
 *
 * - MP3 is encoded by LAME (wasm-media-encoders) and decoded by mpg123 (mpg123-decoder). The audio begins 1,105 samples
 *   late, and the last frame is padded. Whole files tell players the exact padding; streams cannot. Decoding keeps it.
 * - FLAC is encoded with 16 bits and decoded by libFLAC (@mediabunny/flac-encoder, @wasm-audio-decoders/flac).
 * - Opus comes in Ogg, with 3 bits a sample and 64 kbit/s at most, by libopus (libopus-wasm). Audio of a rate that Opus
 *   does not support is resampled to 48,000. Decoding gives 48,000, whatever the rate of the input was.
 * - AAC-LC comes in ADTS, with 3 bits a sample and 128 kbit/s at most, by FFmpeg (@mediabunny/aac-encoder). It begins 1,024
 *   samples late, and its last frames are padded. ADTS and MP4 (mediabunny) are decoded in TypeScript; of HE-AAC
 *   that is the core, which is AAC-LC.
 *
 * Streams are encoded in this thread, each by an encoder of 0.7 to 0.9 MB. Whole clips are encoded and decoded in worker
 * threads. A clip that is longer than the limit is not unpacked beyond it. The padding of MP3 and AAC does not count, and
 * is cut where it exceeds the limit.
 *
 * @example
 * const bytes = Effect.flatMap(AudioCodecs, ({ encode }) => encode(audio, { codec: "mp3", rate: 24_000 })).pipe(
 *   Effect.provide(AudioCodecsWasm.layer())
 * )
 */
export const AudioCodecsWasm = {
  /** `AudioCodecs` for every codec whose library is installed. All of the libraries are dependencies of this package. */
  layer: (options: AudioCodecsWasmOptions = {}): Layer.Layer<AudioCodecs> => Layer.scoped(AudioCodecs, make(options))
}
