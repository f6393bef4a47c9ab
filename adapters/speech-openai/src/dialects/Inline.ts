import { BadRequest } from "@trunkline/errors"
import { Effect } from "effect"
import { speechFields } from "./OpenAiSpeech.js"
import type { DialectOptions, Saying, SpeechDialect } from "./SpeechDialect.js"

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
  readonly reference: (reference: InlineReference, saying: Saying) => Readonly<Record<string, unknown>>
  readonly languages: SpeechDialect["languages"]
}

const unwritten = new BadRequest({ message: "This speech engine needs ref_text or a transcriber", param: "ref_text" })

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
      if (needsTranscript && transcript === null) return unwritten
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
