import type { AudioCodec, AudioFormat, Clip, SampleRate } from "@trunkline/audio"
import type { BadRequest, BodyTooLarge, Invalid } from "@trunkline/errors"
import type { VoiceId } from "@trunkline/kernel"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Struct } from "effect"
import { GenerateFields, readFields } from "./Fields.js"
import { mismatch, notBoth, refuse, spokenText, voiceIdIn } from "./Rules.js"
import { type FileField, readVoiceForm, type VoiceForm } from "./VoiceForm.js"

/** Whose voice to speak with: a saved one, or that of a clip. */
export type VoiceSource =
  | { readonly kind: "voice"; readonly voice_id: VoiceId }
  | {
    readonly kind: "clip"
    readonly clip: Clip
    /** What is said in the clip; null when the caller does not say. */
    readonly text: string | null
  }

/** What is asked of a whole speech. */
export interface GenerateAsked {
  readonly source: VoiceSource
  /** 1 to 1000 characters. */
  readonly text: string
  readonly language: LanguageCode
  /** 0.5 to 2; 1 unless asked otherwise. */
  readonly pace: number
  readonly format: AudioFormat
  /** Whether what was spoken is checked, and spoken again when it did not come out well. */
  readonly check: boolean
  /** Whether silence is cut off both ends, where the text is spoken in one piece. */
  readonly trim: boolean
  /** Whether numbers and the like become words; null leaves it to the server. */
  readonly normalize: boolean | null
  /** The bounds of the duration in seconds; null where there is none. */
  readonly bounds: { readonly least: number | null; readonly most: number | null }
  /** How long the reference is, in seconds, where the caller knows better than the clip. */
  readonly referenceSeconds: number | null
}

/** The clip that a request may hold (specification, Limits). */
export const referenceFile: FileField = { name: "ref_audio", limitBytes: 10_485_760 }

const opusRates: ReadonlyArray<SampleRate> = [8000, 16000, 24000, 48000]

const formatIn = (codec: AudioCodec, rate: SampleRate | undefined): Effect.Effect<AudioFormat, Invalid> =>
  codec === "opus" && rate !== undefined && !opusRates.includes(rate)
    ? mismatch("speech_sample_rate", `Opus has only ${opusRates.join(", ")} samples a second`)
    : Effect.succeed({ codec, rate: rate ?? 24000 })

const decoded = readFields(GenerateFields)

/**
 * Reads the form of `POST /voices/clone`. What cannot be sent together is told first; `ref_text` beside `voice_id` is
 * ignored.
 */
export const readGenerateForm = <E>(
  form: VoiceForm<E>
): Effect.Effect<GenerateAsked, E | BadRequest | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const { clip, texts } = yield* readVoiceForm(form, {
      names: Struct.keys(GenerateFields.fields),
      file: referenceFile
    })
    const sent = { ...texts, ref_audio: clip ?? undefined }
    yield* notBoth(sent, ["voice_id", "ref_audio"])
    yield* notBoth(sent, ["pace", "max_audio_duration"])
    const fields = yield* decoded(texts.voice_id === undefined ? texts : Struct.omit(texts, "ref_text"))
    const { max_audio_duration: most = null, min_audio_duration: least = null, ref_text, voice_id } = fields
    if (least !== null && most !== null && most < least) {
      return yield* mismatch("max_audio_duration", "Must be at least min_audio_duration")
    }
    const format = yield* formatIn(fields.output_audio_codec, fields.speech_sample_rate)
    const text = yield* spokenText(fields.text)
    const source: VoiceSource = voice_id !== undefined
      ? { kind: "voice", voice_id: yield* voiceIdIn(voice_id) }
      : clip !== null
      ? { kind: "clip", clip, text: ref_text ?? null }
      : yield* refuse("voice_id", "Send either voice_id or ref_audio")
    return {
      source,
      text,
      language: fields.language_code,
      pace: fields.pace ?? 1,
      format,
      check: fields.enable_qc,
      trim: fields.enable_vad,
      normalize: fields.enable_text_normalization ?? null,
      bounds: { least, most },
      referenceSeconds: fields.ref_audio_duration ?? null
    }
  })
