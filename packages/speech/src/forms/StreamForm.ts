import { AudioCodec, type AudioFormat, Bitrate, StreamCodec } from "@trunkline/audio"
import type { BadRequest, BodyTooLarge, Invalid } from "@trunkline/errors"
import type { VoiceId } from "@trunkline/kernel"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema, Struct } from "effect"
import { badRequest } from "./FormErrors.js"
import { fieldDecoder, FormBoolean, FormRate, Pace, parseVoiceId, validateText } from "./FormFields.js"
import { readVoiceForm, type VoiceForm } from "./VoiceForm.js"

/** The fields of `POST /voices/clone/stream`. `text` and `voice_id` are checked further after decoding. */
export const StreamFields = Schema.Struct({
  voice_id: Schema.optional(Schema.String),
  text: Schema.String,
  language_code: LanguageCode,
  pace: Schema.optional(Pace),
  output_audio_codec: Schema.optionalWith(AudioCodec, { default: () => "mp3" as const }),
  output_audio_bitrate: Schema.optionalWith(Bitrate, { default: () => "128k" as const }),
  speech_sample_rate: Schema.optionalWith(FormRate, { default: () => 24000 as const }),
  enable_text_normalization: Schema.optional(FormBoolean)
})

/** A request to stream speech. */
export interface StreamRequest {
  readonly voice_id: VoiceId
  /** 1 to 1000 characters. */
  readonly text: string
  readonly language: LanguageCode
  /** Speaking rate, 0.5 to 2. Default: 1. */
  readonly pace: number
  readonly format: AudioFormat<StreamCodec>
  /** Turns written-out normalization of numbers, dates and the like on or off; null uses the server's default. */
  readonly normalize: boolean | null
}

/** Fields of whole speeches that streams reject: their audio is sent before its length is known. */
const unsupportedFields = [
  "enable_qc",
  "enable_vad",
  "min_audio_duration",
  "max_audio_duration",
  "ref_audio",
  "ref_text",
  "ref_audio_duration"
]

const names = [...Struct.keys(StreamFields.fields), ...unsupportedFields]

const isStreamCodec = Schema.is(StreamCodec)

const decodeFields = fieldDecoder(StreamFields)

/** Reads the form of `POST /voices/clone/stream`. Fails with `Invalid` or `BadRequest` on bad fields. */
export const readStreamForm = <E>(
  form: VoiceForm<E>
): Effect.Effect<StreamRequest, E | BadRequest | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const { texts, unknown } = yield* readVoiceForm(form, { names, file: null })
    const field = unsupportedFields.find((name) => texts[name] !== undefined)
    if (field !== undefined) {
      return yield* badRequest(field, `${field} is not supported on streams`)
    }
    const fields = yield* decodeFields(texts, unknown)
    const { output_audio_codec: codec, speech_sample_rate: rate, voice_id } = fields
    if (!isStreamCodec(codec)) {
      const codecs = StreamCodec.literals.join(", ")
      return yield* badRequest("output_audio_codec", `${codec} cannot be streamed: choose one of ${codecs}`)
    }
    if (voice_id === undefined) return yield* badRequest("voice_id", "voice_id is missing")
    return {
      voice_id: yield* parseVoiceId(voice_id),
      text: yield* validateText(fields.text),
      language: fields.language_code,
      pace: fields.pace ?? 1,
      format: { codec, rate, bitrate: fields.output_audio_bitrate },
      normalize: fields.enable_text_normalization ?? null
    }
  })
