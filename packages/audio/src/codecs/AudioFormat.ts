import { Schema } from "effect"

/** The codecs that sound is written in (specification, Voice-cloned speech). */
export const AudioCodec = Schema.Literal("mp3", "wav", "linear16", "mulaw", "alaw", "flac", "opus", "aac")
export type AudioCodec = typeof AudioCodec.Type

/** The codecs that are written while the sound is still being made (specification, voices/clone/stream). */
export const StreamCodec = AudioCodec.pipe(Schema.pickLiteral("mp3", "wav", "linear16", "mulaw", "alaw"))
export type StreamCodec = typeof StreamCodec.Type

/** Samples per second that sound is written with (specification, Voice-cloned speech). */
export const SampleRate = Schema.Literal(8000, 16000, 22050, 24000, 32000, 44100, 48000)
export type SampleRate = typeof SampleRate.Type

/** Kilobits per second of MP3 (specification, voices/clone/stream). */
export const Bitrate = Schema.Literal("32k", "64k", "96k", "128k", "192k")
export type Bitrate = typeof Bitrate.Type

/** How sound is written. */
export interface AudioFormat<C extends AudioCodec = AudioCodec> {
  readonly codec: C
  readonly rate: SampleRate
  /** Of MP3 only; `128k` unless given. MPEG knows no more than 64k at 8 kHz and 160k from 16 to 24 kHz: more becomes that. */
  readonly bitrate?: Bitrate
}
