import { LanguageCode } from "@trunkline/spoken-text"
import { Schema } from "effect"
import { HttpUrl, optional } from "./Settings.js"

/** A server of voices: where it is, in which variable its key is, and how its kind is spoken to. */
const VoiceServer = Schema.Struct({
  kind: Schema.Literal("openai-compatible"),
  /** Such as `http://127.0.0.1:8880/v1`. */
  base_url: HttpUrl,
  api_key_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** `openai` does not clone; the others do. */
  dialect: optional(
    Schema.Literal("openai", "f5", "vllm-omni", "chatterbox", "xtts", "xtts-streaming"),
    () => "openai" as const
  ),
  model: optional(Schema.String, () => ""),
  voice: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** The samples per second of what it sends bare; 24,000 unless said. */
  native_rate: Schema.optionalWith(Schema.Int.pipe(Schema.between(8_000, 96_000)), { exact: true }),
  /** The languages that its model speaks; those of the dialect unless listed. */
  languages: Schema.optionalWith(Schema.NonEmptyArray(LanguageCode), { exact: true })
})

/** The synthesizer: espeak-ng on this machine, or a server. */
export const Speech = Schema.Union(Schema.Struct({ kind: Schema.Literal("embedded") }), VoiceServer)
export type Speech = typeof Speech.Type

/** A server that writes down what is said: `/audio/transcriptions` of OpenAI, or `/inference` of whisper.cpp. */
export const Transcription = Schema.Struct({
  kind: Schema.Literal("openai-compatible"),
  base_url: HttpUrl,
  api_key_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  model: optional(Schema.String, () => "whisper-1"),
  path: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Language sent when it is unknown, such as `auto` for whisper.cpp; none when absent. */
  unknown_language: Schema.optionalWith(Schema.NonEmptyString, { exact: true })
})
export type Transcription = typeof Transcription.Type
