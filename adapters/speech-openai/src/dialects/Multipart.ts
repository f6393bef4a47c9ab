import { Effect } from "effect"
import type { DialectOptions, Saying, SpeechDialect, SpeechRequest } from "./SpeechDialect.js"

/** How a clip is uploaded with what is to be said. */
export interface MultipartOptions extends Pick<SpeechDialect, "name" | "languages" | "languageNames"> {
  readonly path: string
  /** The name of the field that holds the clip, a WAV file. */
  readonly file: string
  /** The other fields. */
  readonly fields: (saying: Saying) => Readonly<Record<string, unknown>>
  /** Default: the format of the options. */
  readonly answers?: SpeechRequest["answers"]
}

/** A form of the fields and the clip. */
export const formOf = (
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
  { answers, fields, file, path, ...dialect }: MultipartOptions
): SpeechDialect => ({
  ...dialect,
  cloning: "zero-shot",
  controls: [],
  request: (saying) =>
    Effect.map(saying.clip, (clip) => ({
      path,
      body: formOf(fields(saying), { file, clip }),
      ...(answers !== undefined && { answers })
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
    answers: "wav"
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
    answers: "wav"
  })
