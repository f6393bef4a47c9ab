import { concatBytes } from "@trunkline/kernel"
import { Effect } from "effect"
import { secondsOf, type Sound } from "../../Sound.js"
import { AudioCodecs, type Clip } from "../AudioCodecs.js"
import { type AudioCodec, type AudioFormat, StreamCodec } from "../AudioFormat.js"
import type { ClipRefused, CodecsBusy, CodecUnavailable } from "../CodecErrors.js"

/** What comes of a codec. */
interface Nature {
  /** How much longer than the sound the file may be, in samples: its last frame is filled, and some begin with a delay. */
  readonly slack: (rate: number) => number
  /** How far the level may be off, as a ratio; null of those that give every 16 bit sample back. */
  readonly loss: number | null
  /** What the clip must be called for its codec to be known; null of those that their bytes tell. */
  readonly contentType: string | null
}

/** The delay of LAME and of decoders of layer III, 576 and 529 samples, and a frame. */
const mp3Slack = (rate: number): number => 1_105 + (rate < 32_000 ? 576 : 1_152)

export const natures: Readonly<Record<AudioCodec, Nature>> = {
  wav: { slack: () => 0, loss: null, contentType: null },
  linear16: { slack: () => 0, loss: null, contentType: "audio/L16" },
  mulaw: { slack: () => 0, loss: 0.01, contentType: "audio/PCMU" },
  alaw: { slack: () => 0, loss: 0.01, contentType: "audio/PCMA" },
  flac: { slack: () => 0, loss: null, contentType: null },
  mp3: { slack: mp3Slack, loss: 0.05, contentType: null },
  opus: { slack: (rate) => rate / 50, loss: 0.1, contentType: null },
  aac: { slack: () => 3 * 1_024, loss: 0.1, contentType: null }
}

/** The same in seconds. */
export const slackOf = ({ codec, rate }: AudioFormat): number => natures[codec].slack(rate) / rate

export const isStreamed = (codec: AudioCodec): codec is StreamCodec =>
  StreamCodec.literals.some((name) => name === codec)

/** The longest clip that the laws have read. */
export const limit = { seconds: 3 }

/** A clip whose bytes lie at an odd place among others, as parts of a form do. */
export const clipOf = (bytes: Uint8Array, hint: Partial<Clip> = {}): Clip => {
  const around = new Uint8Array(bytes.length + 8).fill(0x55)
  around.set(bytes, 3)
  return { filename: null, contentType: null, ...hint, bytes: around.subarray(3, 3 + bytes.length) }
}

export const encode = (sound: Sound, format: AudioFormat) =>
  Effect.flatMap(AudioCodecs, (codecs) => codecs.encode(sound, format))

export const decode = (bytes: Uint8Array, { codec, rate }: AudioFormat) => {
  const { contentType } = natures[codec]
  const clip = clipOf(bytes, contentType === null ? {} : { contentType: `${contentType}; rate=${rate}` })
  return Effect.flatMap(AudioCodecs, (codecs) => codecs.decode(clip, limit))
}

/** What a stream writes of some pieces, which all come in the same buffer. */
export const streamed = (pieces: ReadonlyArray<Float32Array>, format: AudioFormat<StreamCodec>) =>
  Effect.scoped(Effect.gen(function*() {
    const { end, push } = yield* (yield* AudioCodecs).encoder(format)
    const buffer = new Float32Array(Math.max(0, ...pieces.map(({ length }) => length)))
    const bytes = yield* Effect.forEach(pieces, (piece) => {
      buffer.set(piece)
      return push(buffer.subarray(0, piece.length))
    })
    buffer.fill(0)
    return concatBytes([...bytes, yield* end])
  }))

/** How long a clip lasts, or why it is refused; the codec that is missing counts as a reason. */
export const outcomeOf = <R>(decoded: Effect.Effect<Sound, ClipRefused | CodecUnavailable | CodecsBusy, R>) =>
  decoded.pipe(
    Effect.map((sound) => ({ reason: "none", seconds: secondsOf(sound) })),
    Effect.catchTags({
      ClipRefused: ({ reason }) => Effect.succeed({ reason, seconds: 0 }),
      CodecUnavailable: () => Effect.succeed({ reason: "unavailable", seconds: 0 }),
      CodecsBusy: () => Effect.succeed({ reason: "busy", seconds: 0 })
    })
  )

/** Something to keep an encoder busy: a sweep whose level wavers. */
export const sweepOf = (rate: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => {
    const time = at / rate
    return 0.4 * Math.sin(2 * Math.PI * (200 + 900 * time) * time) * (1 + Math.sin(40 * time)) / 2
  })
