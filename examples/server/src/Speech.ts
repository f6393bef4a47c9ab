import { Transcriber } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { SpeechDialects, SynthesizerOpenAi } from "@trunkline/speech-openai"
import { TranscriberOpenAi } from "@trunkline/transcriber-openai"
import { Effect, Redacted } from "effect"
import type { Speech, Transcription } from "./SpeechSettings.js"

const dialects = {
  openai: SpeechDialects.openAi,
  f5: SpeechDialects.f5,
  "vllm-omni": SpeechDialects.vllmOmni,
  chatterbox: SpeechDialects.chatterbox,
  xtts: SpeechDialects.xtts,
  "xtts-streaming": SpeechDialects.xttsStreaming
}

const keyIn = (variable: string | undefined) => {
  const key = variable === undefined ? undefined : process.env[variable]
  return key === undefined ? {} : { apiKey: Redacted.make(key) }
}

/** The synthesizer of the bootstrap file. */
export const synthesizerOf = (speech: Speech) => {
  if (speech.kind === "embedded") return SpeechEspeak.layer()
  const { api_key_env, base_url: baseUrl, dialect, languages, model, native_rate: nativeRate, voice } = speech
  return SynthesizerOpenAi.layer({
    baseUrl,
    model,
    dialect: dialects[dialect](),
    ...keyIn(api_key_env),
    ...(voice !== undefined && { voice }),
    ...(nativeRate !== undefined && { nativeRate }),
    ...(languages !== undefined && { languages })
  })
}

/** The transcriber of the bootstrap file; none by default. */
export const transcriberOf = (transcription: Transcription | null) => {
  if (transcription === null) return Transcriber.layerNone
  const { api_key_env, base_url: baseUrl, model, path, unknown_language: unknownLanguage } = transcription
  return TranscriberOpenAi.layer({
    baseUrl,
    model,
    ...keyIn(api_key_env),
    ...(path !== undefined && { path }),
    ...(unknownLanguage !== undefined && { unknownLanguage })
  })
}

/** Note on the voice for the operator, printed at the start. */
export const speechLine = async (speech: Speech): Promise<string> => {
  if (speech.kind !== "embedded") {
    const server = `Voices: the server at ${new URL(speech.base_url).host}, asked as ${speech.dialect}`
    return dialects[speech.dialect]().cloning === "zero-shot"
      ? server
      : `${server}. It does not clone, so the routes that speak with a voice answer 503`
  }
  const { kind, message } = await Effect.runPromise(SpeechEspeak.describe())
  return kind === "none"
    ? `Voices: none yet. ${message}`
    : `Voices: ${message}, with the pitch and pace of a clip. That is no clone: it does not sound like the speaker`
}
