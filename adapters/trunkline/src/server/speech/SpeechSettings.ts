import { LanguageCode } from "@trunkline/spoken-text"
import { Schema } from "effect"
import { type Environment, HttpUrl, optional, WebSocketUrl } from "../ConfigFields.js"
import {
  agentLanguageLines,
  namedTranscriberLines,
  namedTranscribers,
  NamedTranscription,
  namedVoiceLines,
  namedVoices,
  NamedVoiceSettings
} from "./NamedSettings.js"

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

/** The synthesizer: espeak-ng on this machine, a server, or a provider by its name. */
export const Speech = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("embedded") }),
  VoiceServer,
  ...namedVoices
)
export type Speech = typeof Speech.Type

/** A server that writes down what is said: `/audio/transcriptions` of OpenAI, or `/inference` of whisper.cpp. */
const WholeTurns = Schema.Struct({
  kind: Schema.Literal("openai-compatible"),
  base_url: HttpUrl,
  api_key_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  model: optional(Schema.String, () => "whisper-1"),
  path: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Language sent when it is unknown, such as `auto` for whisper.cpp; none when absent. */
  unknown_language: Schema.optionalWith(Schema.NonEmptyString, { exact: true })
})

/** A server that hears callers live: Deepgram, or a vosk-server in Python. */
const Streaming = Schema.Struct({
  kind: Schema.Literal("streaming"),
  dialect: Schema.Literal("deepgram", "vosk"),
  /** That of Deepgram unless said; `ws://127.0.0.1:2700` is a usual one of Vosk. */
  url: Schema.optionalWith(WebSocketUrl, { exact: true }),
  api_key_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** A model of Deepgram. */
  model: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** The samples per second that the server needs; those of the call unless said. */
  sample_rate: Schema.optionalWith(Schema.Int.pipe(Schema.between(8_000, 48_000)), { exact: true })
})
export type Streaming = typeof Streaming.Type

const deepgramHost = "api.deepgram.com"

/** Address of a streaming server; null where there is none. */
export const streamingUrl = ({ dialect, url }: Streaming): string | null =>
  url ?? (dialect === "deepgram" ? `wss://${deepgramHost}/v1/listen` : null)

/** Settings of a streaming server that do not fit together, one line each. */
const streamingProblems = (transcriber: Transcription | null): ReadonlyArray<string> => {
  if (transcriber?.kind !== "streaming") return []
  const { api_key_env, dialect, model } = transcriber
  const url = streamingUrl(transcriber)
  return [
    ...(url === null ? ["transcriber.url: Must be the address of the server, such as ws://127.0.0.1:2700"] : []),
    ...(dialect === "vosk" && model !== undefined
      ? ["transcriber.model: Must be absent, since Vosk has one model"]
      : []),
    ...(url !== null && new URL(url).hostname === deepgramHost && api_key_env === undefined
      ? ["transcriber.api_key_env: Must name the environment variable that holds the key of Deepgram"]
      : [])
  ]
}

/** The part that hears callers: a server that gets whole turns, and clips of voices, or live sound; or a provider by its name. */
export const Transcription = Schema.Union(WholeTurns, Streaming, ...namedTranscribers)
export type Transcription = typeof Transcription.Type

/** A voice by the name of its provider. */
export const isNamedVoice = Schema.is(NamedVoiceSettings)

/** A transcriber by the name of its provider. */
export const isNamedTranscriber = Schema.is(NamedTranscription)

/** Settings of voice and transcriber. */
interface SpeechOfConfig {
  readonly speech: Speech
  readonly transcriber: Transcription | null
}

/** Settings of voice and transcriber that cannot be used, one line each. */
export const speechProblems = ({ speech, transcriber }: SpeechOfConfig, env: Environment): ReadonlyArray<string> => [
  ...(isNamedVoice(speech) ? namedVoiceLines(speech, env) : []),
  ...(isNamedTranscriber(transcriber) ? namedTranscriberLines(transcriber, env) : streamingProblems(transcriber))
]

/** Languages of agents that voice and transcriber do not support, one line each. */
export const agentLanguageProblems = (
  agents: Parameters<typeof agentLanguageLines>[0],
  { speech, transcriber }: SpeechOfConfig
): ReadonlyArray<string> =>
  agentLanguageLines(agents, {
    speech: isNamedVoice(speech) ? speech : null,
    transcriber: isNamedTranscriber(transcriber) ? transcriber : null
  })
