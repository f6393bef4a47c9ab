import { type AudioFormat, StreamCodec } from "@trunkline/audio"
import type { BadRequest, BodyTooLarge, Invalid } from "@trunkline/errors"
import type { VoiceId } from "@trunkline/kernel"
import type { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema, Struct } from "effect"
import { readFields, StreamFields } from "./Fields.js"
import { refuse, spokenText, voiceIdIn } from "./Rules.js"
import { readVoiceForm, type VoiceForm } from "./VoiceForm.js"

/** What is asked of a stream of speech. */
export interface StreamAsked {
  readonly voice_id: VoiceId
  /** 1 to 1000 characters. */
  readonly text: string
  readonly language: LanguageCode
  /** 0.5 to 2; 1 unless asked otherwise. */
  readonly pace: number
  readonly format: AudioFormat<StreamCodec>
  /** Whether numbers and the like become words; null leaves it to the server. */
  readonly normalize: boolean | null
}

/** What a stream cannot do, since it is on its way before its end is known (specification, voices/clone/stream). */
const notForStreams = [
  "enable_qc",
  "enable_vad",
  "min_audio_duration",
  "max_audio_duration",
  "ref_audio",
  "ref_text",
  "ref_audio_duration"
]

const names = [...Struct.keys(StreamFields.fields), ...notForStreams]

const isStreamCodec = Schema.is(StreamCodec)

const decoded = readFields(StreamFields)

/** Reads the form of `POST /voices/clone/stream`. */
export const readStreamForm = <E>(
  form: VoiceForm<E>
): Effect.Effect<StreamAsked, E | BadRequest | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const { texts } = yield* readVoiceForm(form, { names, file: null })
    const misplaced = notForStreams.find((name) => texts[name] !== undefined)
    if (misplaced !== undefined) return yield* refuse(misplaced, `${misplaced} is not supported on streams`)
    const fields = yield* decoded(texts)
    const { output_audio_codec: codec, speech_sample_rate: rate, voice_id } = fields
    if (!isStreamCodec(codec)) {
      const codecs = StreamCodec.literals.join(", ")
      return yield* refuse("output_audio_codec", `${codec} cannot be streamed: choose one of ${codecs}`)
    }
    if (voice_id === undefined) return yield* refuse("voice_id", "voice_id is missing")
    return {
      voice_id: yield* voiceIdIn(voice_id),
      text: yield* spokenText(fields.text),
      language: fields.language_code,
      pace: fields.pace ?? 1,
      format: { codec, rate, bitrate: fields.output_audio_bitrate },
      normalize: fields.enable_text_normalization ?? null
    }
  })
