import { SpeechEspeak } from "@trunkline/speech-espeak"
import { SpeechDialects, SynthesizerOpenAi, TranscriberOpenAi } from "@trunkline/speech-openai"
import { deepgram, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { Effect, Redacted } from "effect"
import { type Speech, type Streaming, streamingUrl, type Transcription } from "./SpeechSettings.js"

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

/** The synthesizer of the configuration file. */
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

type Whole = Extract<Transcription, { readonly kind: "openai-compatible" }>

const wholeTurns = ({ api_key_env, base_url: baseUrl, model, path, unknown_language: unknownLanguage }: Whole) =>
  TranscriberOpenAi.layer({
    baseUrl,
    model,
    ...keyIn(api_key_env),
    ...(path !== undefined && { path }),
    ...(unknownLanguage !== undefined && { unknownLanguage })
  })

const dialectOf = ({ dialect, model }: Streaming) =>
  dialect === "vosk" ? vosk() : deepgram(model === undefined ? {} : { model })

/** The address is the operator's own, so it may be a private one without encryption. */
const live = (transcription: Streaming) => {
  const { api_key_env, sample_rate: rate } = transcription
  return ListenerWebSocket.layer({
    url: streamingUrl(transcription) ?? "",
    dialect: dialectOf(transcription),
    allowInsecureUrls: true,
    allowPrivateUrls: true,
    ...keyIn(api_key_env),
    ...(rate !== undefined && { rate })
  })
}

/** The part of the engine that hears callers, live or turn by turn; none by default. */
export const recognizerOf = (transcription: Transcription | null) => {
  if (transcription === null) return {}
  return transcription.kind === "streaming"
    ? { listener: live(transcription) }
    : { transcriber: wholeTurns(transcription) }
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
