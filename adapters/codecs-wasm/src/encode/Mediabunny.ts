import type * as Mediabunny from "mediabunny"
import { createHash } from "node:crypto"
import type { EncodeJob } from "../CodecThreads.js"

/** Audio for an encoder of mediabunny, which runs in another thread. */
interface MediabunnyInput {
  readonly codec: "flac" | "aac"
  readonly rate: number
  /** At least one sample; floats from -1 to 1 for lossy codecs. */
  readonly samples: Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer>
  /** Bits per second, for lossy codecs. */
  readonly bitrate?: number
  readonly format: (library: typeof Mediabunny) => Mediabunny.OutputFormat
}

/** Encodes audio a second at a time. */
const encodeByMediabunny = async (
  { bitrate, codec, format, rate, samples }: MediabunnyInput
): Promise<Uint8Array> => {
  const library = await import("mediabunny")
  const { AudioSample, AudioSampleSource, BufferTarget, Output, Quality } = library
  const target = new BufferTarget()
  const output = new Output({ format: format(library), target })
  const source = new AudioSampleSource({
    codec,
    ...(bitrate === undefined ? {} : { quality: new Quality({ bitrate }) })
  })
  output.addAudioTrack(source)
  await output.start()
  for (let at = 0; at < samples.length; at += rate) {
    const chunk = new AudioSample({
      data: samples.subarray(at, at + rate),
      format: samples instanceof Int16Array ? "s16" : "f32",
      numberOfChannels: 1,
      sampleRate: rate,
      timestamp: at / rate
    })
    await source.add(chunk)
    chunk.close()
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? [])
}

/** Offsets in the header: number of samples, their MD5, and the end of the header (RFC 9639, section 8.2). */
const flacHeader = { count: 22, md5: 26, end: 42 } as const

/** The same as `toPcm16` of @trunkline/audio, which would load that whole package into the thread. */
const toPcm16 = (samples: Float32Array): Int16Array<ArrayBuffer> => {
  const numbers = new Int16Array(samples.length)
  for (let at = 0; at < numbers.length; at++) numbers[at] = Math.min(32_767, Math.round((samples[at] ?? 0) * 32_768))
  return numbers
}

/** Encodes FLAC of 16 bits by libFLAC. */
export const encodeFlac = async ({ rate, samples }: EncodeJob): Promise<Uint8Array> => {
  const { registerFlacEncoder } = await import("@mediabunny/flac-encoder")
  registerFlacEncoder()
  const numbers = toPcm16(samples)
  const isEmpty = numbers.length === 0
  const flac = await encodeByMediabunny({
    codec: "flac",
    rate,
    samples: isEmpty ? new Int16Array(1) : numbers,
    format: ({ FlacOutputFormat }) => new FlacOutputFormat()
  })
  flac.set(createHash("md5").update(new Uint8Array(numbers.buffer)).digest(), flacHeader.md5)
  return isEmpty ? flac.slice(0, flacHeader.end).fill(0, flacHeader.count, flacHeader.md5) : flac
}

/** Bits per second: enough for speech, and at low rates no more than fits into frames. */
const aacBitrate = (rate: number): number => Math.min(128_000, rate * 3)

/** Encodes AAC-LC in ADTS by FFmpeg. The audio begins 1,024 samples late; the last frame is padded with silence. */
export const encodeAac = async ({ rate, samples }: EncodeJob): Promise<Uint8Array> => {
  const { registerAacEncoder } = await import("@mediabunny/aac-encoder")
  registerAacEncoder()
  return encodeByMediabunny({
    codec: "aac",
    rate,
    samples: samples.length === 0 ? new Float32Array(1) : samples,
    bitrate: aacBitrate(rate),
    format: ({ AdtsOutputFormat }) => new AdtsOutputFormat()
  })
}
