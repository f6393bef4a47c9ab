import { countedListenerLayer, countedTranscriberLayer, countedVoiceLayer } from "@trunkline/speech"
import { SpeechEspeak } from "@trunkline/speech-espeak"
import { SpeechDialects, SynthesizerOpenAi, TranscriberOpenAi } from "@trunkline/speech-openai"
import { deepgram, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { Effect, Redacted } from "effect"
import {
  describeListener,
  fasterWhisperName,
  namedListenerLayer,
  whisperLayer
} from "../../options/speech/NamedTranscriber.js"
import { describeVoice, namedVoiceLayer } from "../../options/speech/NamedVoice.js"
import { isWhisper, namedListenerOf, namedVoiceOf, namedWhisperOf } from "./NamedSettings.js"
import {
  isNamedTranscriber,
  isNamedVoice,
  type Speech,
  type Streaming,
  streamingUrl,
  type Transcription
} from "./SpeechSettings.js"

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
  if (speech.kind === "embedded") return countedVoiceLayer(SpeechEspeak.layer(), { provider: "espeak", model: "" })
  if (isNamedVoice(speech)) return namedVoiceLayer(namedVoiceOf(speech, process.env))
  const { api_key_env, base_url: baseUrl, dialect, languages, model, native_rate: nativeRate, voice } = speech
  const layer = SynthesizerOpenAi.layer({
    baseUrl,
    model,
    dialect: dialects[dialect](),
    ...keyIn(api_key_env),
    ...(voice !== undefined && { voice }),
    ...(nativeRate !== undefined && { nativeRate }),
    ...(languages !== undefined && { languages })
  })
  return countedVoiceLayer(layer, { provider: "server", model })
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
  if (isNamedTranscriber(transcription)) {
    return isWhisper(transcription)
      ? { transcriber: whisperLayer(namedWhisperOf(transcription, process.env)) }
      : { listener: namedListenerLayer(namedListenerOf(transcription, process.env)) }
  }
  return transcription.kind === "streaming"
    ? {
      listener: countedListenerLayer(live(transcription), {
        provider: transcription.dialect,
        model: transcription.model ?? ""
      })
    }
    : {
      transcriber: countedTranscriberLayer(wholeTurns(transcription), {
        provider: "server",
        model: transcription.model
      })
    }
}

/** Note on the voice for the operator, printed at the start. */
export const speechLine = async (speech: Speech): Promise<string> => {
  if (isNamedVoice(speech)) {
    return `Voices: ${
      describeVoice(namedVoiceOf(speech, process.env))
    }. It does not clone, so the routes that speak with a voice answer 503`
  }
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

/** Name of the voice of the settings, for the operator. */
export const voiceName = (speech: Speech): string =>
  speech.kind === "embedded"
    ? "espeak-ng"
    : isNamedVoice(speech)
    ? describeVoice(namedVoiceOf(speech, process.env))
    : new URL(speech.base_url).host

/** Name of the transcriber of the settings, for the operator. */
export const transcriberName = (transcription: Transcription): string =>
  isNamedTranscriber(transcription)
    ? isWhisper(transcription)
      ? fasterWhisperName
      : describeListener(namedListenerOf(transcription, process.env))
    : transcription.kind === "streaming"
    ? transcription.dialect
    : new URL(transcription.base_url).host
