import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { AudioCodecs } from "../codecs/AudioCodecs.js"
import {
  type AudioCodec,
  type AudioFormat,
  type Clip,
  type ClipRejected,
  type CodecsBusy,
  type CodecUnavailable,
  StreamCodec
} from "../pcm/AudioFormat.js"
import { type Audio, durationOf } from "../Sound.js"

/** Properties of a codec that the laws account for. */
interface CodecTraits {
  /** Samples by which the file may be longer than the audio: padding of the last frame, and encoder delay. */
  readonly slack: (rate: number) => number
  /** Largest relative level error; null for lossless codecs. */
  readonly loss: number | null
  /** Content type that identifies the codec; null if its bytes do. */
  readonly contentType: string | null
}

/** Delay of LAME and of layer III decoders, 576 and 529 samples, plus a frame. */
const mp3Slack = (rate: number): number => 1_105 + (rate < 32_000 ? 576 : 1_152)

export const codecTraits: Readonly<Record<AudioCodec, CodecTraits>> = {
  wav: { slack: () => 0, loss: null, contentType: null },
  linear16: { slack: () => 0, loss: null, contentType: "audio/L16" },
  mulaw: { slack: () => 0, loss: 0.01, contentType: "audio/PCMU" },
  alaw: { slack: () => 0, loss: 0.01, contentType: "audio/PCMA" },
  flac: { slack: () => 0, loss: null, contentType: null },
  mp3: { slack: mp3Slack, loss: 0.05, contentType: null },
  opus: { slack: (rate) => rate / 50, loss: 0.1, contentType: null },
  aac: { slack: () => 3 * 1_024, loss: 0.1, contentType: null }
}

/** Slack of a format in seconds. */
export const slackOf = ({ codec, rate }: AudioFormat): number => codecTraits[codec].slack(rate) / rate

export const isStreamed = (codec: AudioCodec): codec is StreamCodec =>
  StreamCodec.literals.some((name) => name === codec)

/** Decoding limit of the laws. */
export const limit = { seconds: 3 }

/** A clip whose bytes are at an odd offset in a larger buffer, as parts of a form are. */
export const clipOf = (bytes: Uint8Array, hint: Partial<Clip> = {}): Clip => {
  const around = new Uint8Array(bytes.length + 8).fill(0x55)
  around.set(bytes, 3)
  return { filename: null, contentType: null, ...hint, bytes: around.subarray(3, 3 + bytes.length) }
}

export const encode = (audio: Audio, format: AudioFormat) =>
  Effect.flatMap(AudioCodecs, (codecs) => codecs.encode(audio, format))

export const decode = (bytes: Uint8Array, { codec, rate }: AudioFormat) => {
  const { contentType } = codecTraits[codec]
  const clip = clipOf(bytes, contentType === null ? {} : { contentType: `${contentType}; rate=${rate}` })
  return Effect.flatMap(AudioCodecs, (codecs) => codecs.decode(clip, limit))
}

/** Encodes chunks as a stream, all of them passed in the same buffer. */
export const streamed = (chunks: ReadonlyArray<Float32Array>, format: AudioFormat<StreamCodec>) =>
  Effect.scoped(Effect.gen(function*() {
    const { end, push } = yield* (yield* AudioCodecs).encoder(format)
    const buffer = new Float32Array(Math.max(0, ...chunks.map(({ length }) => length)))
    const bytes = yield* Effect.forEach(chunks, (chunk) => {
      buffer.set(chunk)
      return push(buffer.subarray(0, chunk.length))
    })
    buffer.fill(0)
    return concatBytes([...bytes, yield* end])
  }))

/** Duration of a decoded clip, or the reason for its rejection. */
export const outcomeOf = <R>(decoded: Effect.Effect<Audio, ClipRejected | CodecUnavailable | CodecsBusy, R>) =>
  decoded.pipe(
    Effect.map((audio) => ({ reason: "none", seconds: durationOf(audio) })),
    Effect.catchTags({
      ClipRefused: ({ reason }) => Effect.succeed({ reason, seconds: 0 }),
      CodecUnavailable: () => Effect.succeed({ reason: "unavailable", seconds: 0 }),
      CodecsBusy: () => Effect.succeed({ reason: "busy", seconds: 0 })
    })
  )

/** A frequency sweep with a varying level. */
export const sweepOf = (rate: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => {
    const time = at / rate
    return 0.4 * Math.sin(2 * Math.PI * (200 + 900 * time) * time) * (1 + Math.sin(40 * time)) / 2
  })

/** Parameters of a sine tone. */
export interface SineTone {
  readonly rate: number
  readonly seconds: number
  readonly hertz: number
  /** Amplitude; 1 is full scale. */
  readonly level: number
}

/** Generates a sine tone that begins at 0 and rises. */
export const toneOf = ({ hertz, level, rate, seconds }: SineTone): Audio => ({
  rate,
  samples: Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, at) => level * Math.sin(2 * Math.PI * hertz * at / rate)
  )
})

/** The middle half of audio. */
export const middleOf = ({ rate, samples }: Audio): Audio => ({
  rate,
  samples: samples.subarray(Math.floor(samples.length / 4), Math.ceil(samples.length * 3 / 4))
})

/** Amplitude of a sine with the same power as the audio. */
export const amplitudeOf = ({ samples }: Audio): number =>
  Math.sqrt(2 * samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

/** Frequency of a tone by its rising zero crossings; 0 if there are none. */
export const hertzOf = ({ rate, samples }: Audio): number => {
  const rises: Array<number> = []
  for (let at = 1; at < samples.length; at++) {
    const before = samples[at - 1] ?? 0
    const after = samples[at] ?? 0
    if (before < 0 && after >= 0) rises.push(at - after / (after - before))
  }
  const [first = 0] = rises
  const last = rises.at(-1) ?? 0
  return last === first ? 0 : (rises.length - 1) * rate / (last - first)
}
