import { AudioCodec, type AudioFormat, type Clip, type SampleRate } from "@trunkline/audio"
import type { BadRequest, BodyTooLarge, Invalid } from "@trunkline/errors"
import type { VoiceId } from "@trunkline/kernel"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema, Struct } from "effect"
import { badRequest, invalidField } from "./FormErrors.js"
import {
  DurationBound,
  fieldDecoder,
  FormBoolean,
  FormRate,
  Pace,
  parseVoiceId,
  RefText,
  requireExclusive,
  validateText
} from "./FormFields.js"
import { type FileField, readVoiceForm, type VoiceForm } from "./VoiceForm.js"

/** The fields of `POST /voices/clone`, without the file. */
export const GenerateFields = Schema.Struct({
  voice_id: Schema.optional(Schema.String),
  ref_text: Schema.optional(RefText),
  text: Schema.String,
  language_code: LanguageCode,
  pace: Schema.optional(Pace),
  output_audio_codec: Schema.optionalWith(AudioCodec, { default: () => "wav" as const }),
  speech_sample_rate: Schema.optional(FormRate),
  enable_qc: Schema.optionalWith(FormBoolean, { default: () => false }),
  enable_cached_responses: Schema.optionalWith(FormBoolean, { default: () => false }),
  enable_vad: Schema.optionalWith(FormBoolean, { default: () => true }),
  enable_text_normalization: Schema.optional(FormBoolean),
  min_audio_duration: Schema.optional(DurationBound),
  max_audio_duration: Schema.optional(DurationBound.pipe(Schema.greaterThan(0))),
  ref_audio_duration: Schema.optional(DurationBound.pipe(Schema.greaterThan(0)))
})

/** The voice to speak with: a saved one, or that of a clip sent with the request. */
export type VoiceSource =
  | { readonly kind: "voice"; readonly voice_id: VoiceId }
  | {
    readonly kind: "clip"
    readonly clip: Clip
    /** The transcript of the clip; null when the client did not send one. */
    readonly text: string | null
  }

/** A request for a speech in one piece. */
export interface GenerateRequest {
  readonly source: VoiceSource
  /** 1 to 1000 characters. */
  readonly text: string
  readonly language: LanguageCode
  /** Speaking rate, 0.5 to 2. Default: 1. */
  readonly pace: number
  readonly format: AudioFormat
  /** Checks the quality of the speech, and speaks a second take when the first one fails the check. */
  readonly check: boolean
  /** Cuts silence off both ends when the text is spoken in one clause. */
  readonly trim: boolean
  /** Turns written-out normalization of numbers, dates and the like on or off; null uses the server's default. */
  readonly normalize: boolean | null
  /** Bounds of the duration in seconds; null is no bound. */
  readonly bounds: { readonly min: number | null; readonly max: number | null }
  /** Length of the reference in seconds, where the client overrides the length of the clip. */
  readonly referenceSeconds: number | null
}

/** The clip that a request may hold: at most 10 MB. */
export const referenceFile: FileField = { name: "ref_audio", limitBytes: 10_485_760 }

const opusRates: ReadonlyArray<SampleRate> = [8000, 16000, 24000, 48000]

const resolveFormat = (codec: AudioCodec, rate: SampleRate | undefined): Effect.Effect<AudioFormat, Invalid> =>
  codec === "opus" && rate !== undefined && !opusRates.includes(rate)
    ? invalidField("speech_sample_rate", `Opus has only ${opusRates.join(", ")} samples a second`)
    : Effect.succeed({ codec, rate: rate ?? 24000 })

const decodeFields = fieldDecoder(GenerateFields)

/**
 * Reads the form of `POST /voices/clone`. Fields that exclude each other are reported before anything else; `ref_text`
 * beside `voice_id` is ignored.
 */
export const readGenerateForm = <E>(
  form: VoiceForm<E>
): Effect.Effect<GenerateRequest, E | BadRequest | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const { clip, texts, unknown } = yield* readVoiceForm(form, {
      names: Struct.keys(GenerateFields.fields),
      file: referenceFile
    })
    const formFields = { ...texts, ref_audio: clip ?? undefined }
    yield* requireExclusive(formFields, ["voice_id", "ref_audio"])
    yield* requireExclusive(formFields, ["pace", "max_audio_duration"])
    const fields = yield* decodeFields(
      texts.voice_id === undefined ? texts : Struct.omit(texts, "ref_text"),
      unknown
    )
    const { max_audio_duration: max = null, min_audio_duration: min = null, ref_text, voice_id } = fields
    if (min !== null && max !== null && max < min) {
      return yield* invalidField("max_audio_duration", "Must be at least min_audio_duration")
    }
    const format = yield* resolveFormat(fields.output_audio_codec, fields.speech_sample_rate)
    const text = yield* validateText(fields.text)
    const source: VoiceSource = voice_id !== undefined
      ? { kind: "voice", voice_id: yield* parseVoiceId(voice_id) }
      : clip !== null
      ? { kind: "clip", clip, text: ref_text ?? null }
      : yield* badRequest("voice_id", "Send either voice_id or ref_audio")
    return {
      source,
      text,
      language: fields.language_code,
      pace: fields.pace ?? 1,
      format,
      check: fields.enable_qc,
      trim: fields.enable_vad,
      normalize: fields.enable_text_normalization ?? null,
      bounds: { min, max },
      referenceSeconds: fields.ref_audio_duration ?? null
    }
  })
