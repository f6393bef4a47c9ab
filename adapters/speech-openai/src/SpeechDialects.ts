import { BadRequest } from "@trunkline/errors"
import { LanguageCode } from "@trunkline/spoken-text"
import { Effect, Schema } from "effect"
import type { DialectInput, DialectOptions, SpeechDialect, SpeechRequest } from "./SpeechDialect.js"

/** The fields of OpenAI's request. A pace of 1 is left out, since servers without a control of it may refuse the field. */
const speechFields = ({ format, model, pace, text, voice }: DialectInput): Readonly<Record<string, unknown>> => ({
  ...(model !== null && { model }),
  input: text,
  ...(voice !== null && { voice }),
  response_format: format,
  ...(pace !== 1 && { speed: pace })
})

/** OpenAI's own: `POST /audio/speech`, a fixed voice, and no cloning. It counts as speaking every language. */
export const openAi = (
  { extra = {}, languages = LanguageCode.literals, path = "/audio/speech" }: DialectOptions = {}
): SpeechDialect => ({
  name: "openai",
  cloning: "none",
  languages,
  controls: ["pace"],
  request: (saying) => Effect.succeed({ path, body: { ...extra, ...speechFields(saying) } })
})

/** A reference as it goes into JSON. */
export interface InlineReference {
  /** The clip, a WAV file, in Base64. */
  readonly audio: string
  /** What is said in it; null when nobody knows. */
  readonly transcript: string | null
}

/** How a clip goes into OpenAI's request. */
export interface InlineOptions extends DialectOptions, Pick<SpeechDialect, "name" | "languageNames"> {
  /** Whether the server can do nothing without the transcript. */
  readonly needsTranscript: boolean
  /** The fields that hold the reference. */
  readonly reference: (reference: InlineReference, saying: DialectInput) => Readonly<Record<string, unknown>>
  readonly languages: SpeechDialect["languages"]
}

const transcriptMissing = new BadRequest({
  message: "This speech engine needs ref_text or a transcriber",
  param: "ref_text"
})

/** OpenAI's request with the clip and its transcript inside. */
export const inline = (
  { extra = {}, needsTranscript, path = "/audio/speech", reference: fields, ...dialect }: InlineOptions
): SpeechDialect => ({
  ...dialect,
  cloning: "zero-shot",
  controls: [],
  request: (saying) =>
    Effect.suspend(() => {
      const transcript = saying.reference.text || null
      if (needsTranscript && transcript === null) return transcriptMissing
      return Effect.map(saying.clip, (clip) => {
        const reference = { audio: Buffer.from(clip).toString("base64"), transcript }
        return { path, body: { ...extra, ...speechFields(saying), ...fields(reference, saying) } }
      })
    })
})

/**
 * F5-TTS behind OpenAI's request with a `voice.clone` block of `audio` and `transcript`; `reference` is for servers that
 * call them otherwise. It needs the transcript. Say in `languages` what your model speaks: the published one English of
 * ours, those trained for India eleven of the twelve.
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
 * vLLM-Omni with a model that clones, such as Qwen3-TTS Base, CosyVoice 3 or Fish Speech: `ref_audio` as a data URL, and
 * `ref_text`. It streams bare samples as they are made.
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

/** How a clip is uploaded with what is to be said. */
export interface MultipartOptions extends Pick<SpeechDialect, "name" | "languages" | "languageNames"> {
  readonly path: string
  /** The name of the field that holds the clip, a WAV file. */
  readonly file: string
  /** The other fields. */
  readonly fields: (saying: DialectInput) => Readonly<Record<string, unknown>>
  /** Default: the format of the options. */
  readonly responseFormat?: SpeechRequest["responseFormat"]
}

/** A form of the fields and the clip. */
const formOf = (
  fields: Readonly<Record<string, unknown>>,
  { clip, file }: { readonly clip: Uint8Array; readonly file: string }
): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append(file, new Blob([clip], { type: "audio/wav" }), "reference.wav")
  return form
}

/** Any server that takes a clip, a text and perhaps a language as a form, and answers with sound. */
export const multipart = (
  { fields, file, path, responseFormat, ...dialect }: MultipartOptions
): SpeechDialect => ({
  ...dialect,
  cloning: "zero-shot",
  controls: [],
  request: (saying) =>
    Effect.map(saying.clip, (clip) => ({
      path,
      body: formOf(fields(saying), { file, clip }),
      ...(responseFormat !== undefined && { responseFormat })
    }))
})

/**
 * Chatterbox behind OpenAI's fields with an uploaded `voice_file`, and WAV back while it is made. The route takes no
 * language: English, whatever the model could. `extra` may hold `exaggeration`, `cfg_weight` or `temperature`.
 */
export const chatterbox = (
  { extra = {}, languages = ["en-IN"], path = "/audio/speech/stream/upload" }: DialectOptions = {}
): SpeechDialect =>
  multipart({
    name: "chatterbox",
    languages,
    path,
    file: "voice_file",
    fields: ({ text }) => ({ ...extra, input: text, response_format: "wav" }),
    responseFormat: "wav"
  })

/** XTTS, and what is like it: `text`, `language` and `speaker_wav`. The published model speaks English and Hindi of ours. */
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

/** What the server makes of a voice; it goes back to it as it came. */
const isVoice = Schema.is(
  Schema.Struct({ gpt_cond_latent: Schema.Array(Schema.Unknown), speaker_embedding: Schema.Array(Schema.Unknown) })
)

/**
 * Coqui's streaming server for XTTS, in two steps: the clip goes to `/clone_speaker`, and what that answers goes with the
 * text to `path`, `/tts_stream` unless told otherwise. The published server takes English alone of our languages, though
 * the model knows Hindi.
 */
export const xttsStreaming = (
  { extra = {}, languages = ["en-IN"], path = "/tts_stream" }: DialectOptions = {}
): SpeechDialect => ({
  name: "xtts-streaming",
  cloning: "zero-shot",
  languages,
  controls: [],
  request: ({ clip, languageName, reference, text }, learn) =>
    Effect.gen(function*() {
      const cloning = Effect.map(clip, (clip) => ({
        path: "/clone_speaker",
        body: formOf({}, { file: "wav_file", clip })
      }))
      const { gpt_cond_latent, speaker_embedding } = yield* learn(reference, cloning, isVoice)
      const voice = { gpt_cond_latent, speaker_embedding }
      return { path, body: { ...extra, ...voice, text, language: languageName, add_wav_header: true }, answers: "wav" }
    })
})
