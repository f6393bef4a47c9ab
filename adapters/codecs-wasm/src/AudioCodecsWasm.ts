import { AudioCodec, AudioCodecs, type AudioFormat, formatOf, plainCodecs, type StreamCodec } from "@trunkline/audio"
import { macroTask } from "@trunkline/kernel"
import { Duration, Effect, Layer, type Scope } from "effect"
import { isCompressed, isCompressedFormat, isInstalled, makeLibraries } from "./Libraries.js"
import { makeMp3Streams } from "./Mp3Streams.js"
import { ownEntry } from "./OwnEntry.js"
import { readClip } from "./ReadClip.js"
import { startThread } from "./thread/CodecThread.js"
import { makeThreads } from "./thread/Threads.js"
import { writeSound } from "./WriteSound.js"

/** What writing and reading sound may take. */
export interface AudioCodecsWasmOptions {
  /** How many threads write and read whole sounds at the most; 2 when absent. None is there without work. */
  readonly threads?: number
  /** How many sounds may wait for a thread; 64 when absent. Those beyond are `CodecsBusy`. */
  readonly waiting?: number
  /**
   * How long reading a clip may take by the clock, without the wait for a thread; 5 seconds when absent (design:
   * telephony 3.4). A clip that takes longer is `CodecsBusy` and never `unreadable`.
   */
  readonly readLimit?: Duration.DurationInput
  /** How long a thread stays without work; 30 seconds when absent. */
  readonly idle?: Duration.DurationInput
  /** How large the JavaScript heap of a thread may grow, in megabytes; 128 when absent. */
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
    const threads = yield* makeThreads({
      start: () => startThread(ownEntry, { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
      size,
      waiting,
      idleMillis: Duration.toMillis(idle)
    })
    return {
      written: AudioCodec.literals.filter((codec) => !isCompressed(codec) || libraries.canWrite(codec)),
      encoder: (format) => {
        if (!isMp3(format)) return plain.encoder(format)
        const { bitrate = "128k", rate } = format
        return Effect.zipRight(libraries.toWrite("mp3"), streams.encoder({ bitrate, rate }))
      },
      encode: (sound, format) => {
        const { codec } = format
        if (!isCompressed(codec)) return plain.encode(sound, format)
        return Effect.zipRight(libraries.toWrite(codec), writeSound(threads, sound, { ...format, codec }))
      },
      decode: (clip, { seconds }) => {
        const format = formatOf(clip.bytes, clip)
        if (!isCompressedFormat(format)) return plain.decode(clip, { seconds })
        return Effect.zipRight(
          libraries.toRead(format),
          readClip(threads, clip, { format, seconds, budget: readLimit })
        )
      }
    }
  })

/**
 * All codecs in process, without ffmpeg. WAV, linear16 and G.711 are those of packages/audio; the others come from
 * these libraries, each of which is loaded when it is first needed:
 *
 * - MP3 is written by LAME (wasm-media-encoders) and read by mpg123 (mpg123-decoder). It begins 1,105 samples late,
 *   and its last frame is filled up. Whole files tell players how much that is; streams cannot, and nothing is cut
 *   when it is read.
 * - FLAC is written with 16 bits and read by libFLAC (@mediabunny/flac-encoder, @wasm-audio-decoders/flac).
 * - Opus comes in Ogg, of 3 bits a sample and 64 kbit/s at the most, by libopus (libopus-wasm). What has a rate that
 *   Opus does not take is resampled to 48,000. It is read at 48,000, whatever it was written at.
 * - AAC-LC comes in ADTS, of 3 bits a sample and 128 kbit/s at the most, by FFmpeg (@mediabunny/aac-encoder). It
 *   begins 1,024 samples late, and its last frames are filled up. ADTS and MP4 (mediabunny) are read by a decoder of
 *   this package, and of HE-AAC the half that is AAC-LC.
 *
 * Streams are written on the spot, by an encoder each of 0.7 to 0.9 MB. Whole sounds are written and read in worker
 * threads. A clip that is longer than the limit is not unpacked further than that. What encoders of MP3 and AAC add
 * does not count, and is cut where it is beyond the limit.
 */
export const AudioCodecsWasm = {
  /** `AudioCodecs` for every codec whose library is installed; those of all are dependencies of this package. */
  layer: (options: AudioCodecsWasmOptions = {}): Layer.Layer<AudioCodecs> => Layer.scoped(AudioCodecs, make(options))
}
