import { BadRequest } from "@trunkline/errors"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema } from "effect"
import type { DialectInput, DialectOptions, SpeechDialect, SpeechRequest } from "./SpeechDialect.js"

/** Fields of OpenAI's request. A pace of 1 is left out, since servers without that control may reject the field. */
const speechFields = ({ format, model, pace, text, voice }: DialectInput): Readonly<Record<string, unknown>> => ({
  ...(model !== null && { model }),
  input: text,
  ...(voice !== null && { voice }),
  response_format: format,
  ...(pace !== 1 && { speed: pace })
})

/** OpenAI's own API: `POST /audio/speech` with a fixed voice, without cloning. Declares every language by default. */
export const openAi = (
  { extra = {}, languages = LanguageCode.literals, path = "/audio/speech" }: DialectOptions = {}
): SpeechDialect => ({
  name: "openai",
  cloning: "none",
  languages,
  controls: ["pace"],
  request: (input) => Effect.succeed({ path, body: { ...extra, ...speechFields(input) } })
})

/** A reference clip for a JSON request. */
export interface InlineReference {
  /** The clip as a WAV file in Base64. */
  readonly audio: string
  /** Transcript of the clip; null when unknown. */
  readonly transcript: string | null
}

/** Options of `inline`. */
export interface InlineOptions extends DialectOptions, Pick<SpeechDialect, "name" | "languageNames"> {
  /** True when the server requires the transcript of the clip. */
  readonly needsTranscript: boolean
  /** The fields that hold the reference. */
  readonly reference: (reference: InlineReference, input: DialectInput) => Readonly<Record<string, unknown>>
  readonly languages: SpeechDialect["languages"]
}

const transcriptMissing = new BadRequest({
  message: "This speech engine needs ref_text or a transcriber",
  param: "ref_text"
})

/** Any server that accepts OpenAI's request with the clip and its transcript in additional fields. */
export const inline = (
  { extra = {}, needsTranscript, path = "/audio/speech", reference: fields, ...dialect }: InlineOptions
): SpeechDialect => ({
  ...dialect,
  cloning: "zero-shot",
  controls: [],
  request: (input) =>
    Effect.suspend(() => {
      const transcript = input.reference?.text || null
      if (input.reference !== null && needsTranscript && transcript === null) return transcriptMissing
      return Effect.map(input.clip, (clip) => {
        const reference = { audio: Buffer.from(clip).toString("base64"), transcript }
        return { path, body: { ...extra, ...speechFields(input), ...fields(reference, input) } }
      })
    })
})

/**
 * F5-TTS behind OpenAI's request with a `voice.clone` block of `audio` and `transcript`; override `reference` for servers
 * with other field names. It requires the transcript. Set `languages` to those of your model: the published one speaks
 * English, models trained for India eleven of the twelve languages.
 */
export const f5 = (
  options: DialectOptions & Partial<Pick<InlineOptions, "reference">> = {}
): SpeechDialect =>
  inline({
    name: "f5",
    languages: ["en-IN"],
    needsTranscript: true,
    reference: (clone) => ({ voice: { clone } }),
    ...options
  })

/**
 * vLLM-Omni with a cloning model such as Qwen3-TTS Base, CosyVoice 3 or Fish Speech: `ref_audio` as a data URL, and
 * `ref_text`. The server streams headerless samples as they are made.
 */
export const vllmOmni = (
  options: DialectOptions & Partial<Pick<InlineOptions, "needsTranscript">> = {}
): SpeechDialect =>
  inline({
    name: "vllm-omni",
    languages: ["en-IN"],
    languageNames: { "en-IN": "English" },
    needsTranscript: true,
    reference: ({ audio, transcript }, { languageName }) => ({
      stream_format: "audio",
      language: languageName,
      ref_audio: `data:audio/wav;base64,${audio}`,
      ...(transcript !== null && { ref_text: transcript })
    }),
    ...options
  })

/** Options of `multipart`. */
export interface MultipartOptions extends Pick<SpeechDialect, "name" | "languages" | "languageNames"> {
  readonly path: string
  /** Name of the field that holds the clip, a WAV file. */
  readonly file: string
  /** True when the server speaks in a voice of its own without the clip. Default: false. */
  readonly hasOwnVoice?: boolean
  /** The other fields. */
  readonly fields: (input: DialectInput) => Readonly<Record<string, unknown>>
  /** Format of the response. Default: the requested one. */
  readonly responseFormat?: SpeechRequest["responseFormat"]
}

/** Form data with the fields and the clip, if there is one. */
const formOf = (
  fields: Readonly<Record<string, unknown>>,
  { clip, file }: { readonly clip: Uint8Array | null; readonly file: string }
): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (clip !== null) form.append(file, new Blob([clip], { type: "audio/wav" }), "reference.wav")
  return form
}

/** Any server that accepts a clip, a text and perhaps a language as form data, and responds with audio. */
export const multipart = (
  { fields, file, hasOwnVoice = false, path, responseFormat, ...dialect }: MultipartOptions
): SpeechDialect => ({
  ...dialect,
  cloning: "zero-shot",
  controls: [],
  request: (input) =>
    Effect.map(hasOwnVoice && input.reference === null ? Effect.succeed(null) : input.clip, (clip) => ({
      path,
      body: formOf(fields(input), { file, clip }),
      ...(responseFormat !== undefined && { responseFormat })
    }))
})

/**
 * Chatterbox behind OpenAI's fields with an uploaded `voice_file`, without which it speaks in its own voice; the server
 * streams WAV. The route has no language field,
 * so the default is English only. `extra` may hold `exaggeration`, `cfg_weight` or `temperature`.
 */
export const chatterbox = (
  { extra = {}, languages = ["en-IN"], path = "/audio/speech/stream/upload" }: DialectOptions = {}
): SpeechDialect =>
  multipart({
    name: "chatterbox",
    languages,
    path,
    file: "voice_file",
    hasOwnVoice: true,
    fields: ({ text }) => ({ ...extra, input: text, response_format: "wav" }),
    responseFormat: "wav"
  })

/** XTTS and similar servers with `text`, `language` and `speaker_wav`. The published model speaks English and Hindi. */
export const xtts = (
  { extra = {}, languages = ["en-IN", "hi-IN"], path = "/tts" }: DialectOptions = {}
): SpeechDialect =>
  multipart({
    name: "xtts",
    languages,
    path,
    file: "speaker_wav",
    fields: ({ languageName, text }) => ({ ...extra, text, language: languageName }),
    responseFormat: "wav"
  })

/** The server's representation of a voice, which is sent back unchanged. */
const isVoice = Schema.is(
  Schema.Struct({ gpt_cond_latent: Schema.Array(Schema.Unknown), speaker_embedding: Schema.Array(Schema.Unknown) })
)

/**
 * Coqui's streaming server for XTTS, in two steps: the clip is posted to `/clone_speaker`, and the response is sent with the
 * text to `path` (default `/tts_stream`). The published server accepts English only, though the model knows Hindi.
 */
export const xttsStreaming = (
  { extra = {}, languages = ["en-IN"], path = "/tts_stream" }: DialectOptions = {}
): SpeechDialect => ({
  name: "xtts-streaming",
  cloning: "zero-shot",
  languages,
  controls: [],
  request: ({ clip, languageName, reference, text }, prepareVoice) =>
    Effect.gen(function*() {
      const cloning = Effect.map(clip, (clip) => ({
        path: "/clone_speaker",
        body: formOf({}, { file: "wav_file", clip })
      }))
      const { gpt_cond_latent, speaker_embedding } = yield* prepareVoice(reference, cloning, isVoice)
      const voice = { gpt_cond_latent, speaker_embedding }
      return { path, body: { ...extra, ...voice, text, language: languageName, add_wav_header: true }, answers: "wav" }
    })
})
