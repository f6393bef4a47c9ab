import { Context, Effect, Layer, type Scope } from "effect"
import type { Sound } from "../Sound.js"
import type { AudioCodec, AudioFormat, StreamCodec } from "./AudioFormat.js"
import type { ClipRefused, CodecsBusy, CodecUnavailable } from "./CodecErrors.js"
import { plainCodecs } from "./PlainCodecs.js"

/** A sound file as somebody sent it. */
export interface Clip {
  readonly bytes: Uint8Array
  /** Its name, as far as there is one: headerless formats are known by it, such as `clip.ulaw`. */
  readonly filename: string | null
  /** Its content type, as far as there is one, such as `audio/basic` or `audio/L16; rate=16000`. */
  readonly contentType: string | null
}

/** Writes one sound while it is made. The samples come at the rate of the format. */
export interface AudioEncoder {
  /** The bytes that are ready after some more samples; perhaps none. */
  readonly push: (samples: Float32Array) => Effect.Effect<Uint8Array>
  /** The last bytes. Nothing is pushed after it. */
  readonly end: Effect.Effect<Uint8Array>
}

/** Writes sound in the codecs of the specification, and reads clips. Work is cut so that the event loop is never held up. */
export class AudioCodecs extends Context.Tag("@trunkline/audio/AudioCodecs")<AudioCodecs, {
  /** The codecs that can be written here. */
  readonly written: ReadonlyArray<AudioCodec>
  /** Writes a sound that is still being made. */
  readonly encoder: (
    format: AudioFormat<StreamCodec>
  ) => Effect.Effect<AudioEncoder, CodecUnavailable, Scope.Scope>
  /** Writes a whole sound, which has the rate of the format: lengths in headers are true. */
  readonly encode: (sound: Sound, format: AudioFormat) => Effect.Effect<Uint8Array, CodecUnavailable | CodecsBusy>
  /**
   * Reads a clip of any listed format, its channels mixed into one, at its own rate. It stops at the limit rather than
   * unpack more than that, and does not hold up the event loop.
   */
  readonly decode: (
    clip: Clip,
    limit: { readonly seconds: number }
  ) => Effect.Effect<Sound, ClipRefused | CodecUnavailable | CodecsBusy>
}>() {
  /** The codecs that need no library: `wav`, `linear16`, `mulaw` and `alaw`. It reads Sun audio files of these, too. */
  static readonly layerPlain = Layer.succeed(AudioCodecs, plainCodecs(Effect.yieldNow()))
}
