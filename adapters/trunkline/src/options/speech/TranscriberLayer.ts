import { countedListenerLayer, countedTranscriberLayer, type Listener, Transcriber } from "@trunkline/speech"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import type { LanguageCode } from "@trunkline/spoken-text"
import { deepgram, type ListenDialect, ListenerWebSocket, vosk } from "@trunkline/transcriber-websocket"
import { Effect, Layer } from "effect"
import type { Fields } from "../../errors/Fields.js"
import { checkKnown, InvalidOption } from "../InvalidOption.js"
import { keyOf } from "../ModelLayer.js"
import { modelFailure } from "../models/PlainModels.js"
import { checkNamed, namedOf } from "./NamedOptions.js"
import {
  fasterWhisperName,
  isStreamingProvider,
  listenerLanguages,
  listenerProblems,
  namedListenerLayer,
  whisperLanguagesOf,
  whisperLayer,
  whisperProblems
} from "./NamedTranscriber.js"
import type {
  PlainTranscriber,
  ProvidedTranscriber,
  StreamingDialect,
  StreamingTranscriberOptions,
  TranscriberOption,
  TranscriberServerOptions
} from "./VoiceOptions.js"

/** A server that hears callers live. */
type Streaming = Extract<ProvidedTranscriber, { readonly provider: "streaming" }>

/** A provider that hears callers live, by its name. */
type Named = Exclude<ProvidedTranscriber, { readonly provider: "faster-whisper" | "server" | "streaming" }>

/** True for a transcriber that hears callers live, and transcribes no clips. */
export const isStreaming = (transcriber: TranscriberOption): transcriber is Named | Streaming =>
  "provider" in transcriber && (transcriber.provider === "streaming" || isStreamingProvider(transcriber.provider))

const deepgramUrl = "wss://api.deepgram.com/v1/listen"

/** True for Deepgram's own servers, which need a key. */
const isDeepgrams = (url: string) => URL.canParse(url) && new URL(url).hostname === new URL(deepgramUrl).hostname

const dialects: Readonly<Record<StreamingDialect, (model: string | undefined) => ListenDialect>> = {
  deepgram: (model) => deepgram(model === undefined ? {} : { model }),
  vosk: () => vosk()
}

const streamingOptions: Fields<StreamingTranscriberOptions> = {
  dialect: true,
  url: true,
  apiKey: true,
  model: true,
  rate: true
}

const serverOptions: Fields<TranscriberServerOptions> = { baseUrl: true, apiKey: true, model: true, path: true }

const invalid = (message: string) => new InvalidOption("transcriber", message)

const serverLayer = (options: TranscriberServerOptions) => {
  checkKnown(options, serverOptions, "transcriber")
  const { apiKey, baseUrl, model, path } = options
  return TranscriberOpenAi.layer({
    baseUrl,
    ...keyOf(apiKey),
    ...(model !== undefined && { model }),
    ...(path !== undefined && { path })
  })
}

const plainLayer = (transcriber: PlainTranscriber) =>
  Layer.succeed(Transcriber, {
    available: true,
    transcribe: (audio, { language }) =>
      Effect.tryPromise({
        try: (signal) => transcriber.transcribe(audio, { language, signal }),
        catch: modelFailure
      })
  })

/**
 * The layer of a transcriber that hears callers live. Its address is the host's own, so it may be a private one without
 * encryption. Throws `InvalidOption`.
 */
export const listenerLayer = (transcriber: Named | Streaming): Layer.Layer<Listener> => {
  if (transcriber.provider !== "streaming") {
    const service = namedOf(transcriber.provider, transcriber.options ?? {}, "transcriber")
    checkNamed(listenerProblems(service), "transcriber")
    return namedListenerLayer(service)
  }
  const options: Partial<StreamingTranscriberOptions> = transcriber.options ?? {}
  const { apiKey, dialect, model, rate } = options
  checkKnown(options, streamingOptions, "transcriber")
  if (dialect === undefined || !Object.hasOwn(dialects, dialect)) {
    throw invalid(`there is no dialect "${String(dialect)}"; there are ${Object.keys(dialects).join(", ")}`)
  }
  if (dialect === "vosk" && model !== undefined) {
    throw invalid("vosk has no option model: its server has one model")
  }
  const url = options.url ?? (dialect === "deepgram" ? deepgramUrl : undefined)
  if (url === undefined) throw invalid("vosk needs a url, such as ws://127.0.0.1:2700")
  if (isDeepgrams(url) && !apiKey) {
    throw invalid("deepgram needs an apiKey: set DEEPGRAM_API_KEY, and pass process.env.DEEPGRAM_API_KEY")
  }
  if (rate !== undefined && !(Number.isInteger(rate) && rate >= 8_000 && rate <= 48_000)) {
    throw invalid("rate must be a whole number of hertz from 8,000 to 48,000")
  }
  const layer = ListenerWebSocket.layer({
    url,
    dialect: dialects[dialect](model),
    allowInsecureUrls: true,
    allowPrivateUrls: true,
    ...keyOf(apiKey),
    ...(rate !== undefined && { rate })
  })
  return countedListenerLayer(layer, { provider: dialect, model: model ?? "" })
}

/** The layer of any other transcriber, which hears callers turn by turn. Throws `InvalidOption`. */
export const transcriberLayer = (
  transcriber: Exclude<TranscriberOption, Named | Streaming>
): Layer.Layer<Transcriber, Error> => {
  if (!("provider" in transcriber)) {
    return countedTranscriberLayer(plainLayer(transcriber), { provider: "custom", model: "" })
  }
  if (transcriber.provider === "server") {
    const { model = "" } = transcriber.options
    return countedTranscriberLayer(serverLayer(transcriber.options), { provider: "server", model })
  }
  if (transcriber.provider === fasterWhisperName) {
    const service = namedOf(transcriber.provider, transcriber.options ?? {}, "transcriber")
    checkNamed(whisperProblems(service), "transcriber")
    return whisperLayer(service)
  }
  throw invalid(`there is no provider "${String(Reflect.get(transcriber, "provider"))}"`)
}

/** Languages that a transcriber hears; null where it does not tell. Throws `InvalidOption`. */
export const languagesOfTranscriber = (transcriber: TranscriberOption): ReadonlyArray<LanguageCode> | null => {
  if (!("provider" in transcriber)) return null
  const { provider } = transcriber
  if (provider === fasterWhisperName) {
    return whisperLanguagesOf(namedOf(provider, transcriber.options ?? {}, "transcriber"))
  }
  return isStreamingProvider(provider)
    ? listenerLanguages(namedOf(provider, transcriber.options ?? {}, "transcriber"))
    : null
}
