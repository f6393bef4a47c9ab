import type { ProviderPriceTable } from "@trunkline/kernel"
import { countedListenerLayer, countedTranscriberLayer, type Listener, type Transcriber } from "@trunkline/speech"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import { LanguageCode } from "@trunkline/spoken-text"
import {
  ListenerWebSocket,
  type StreamingProviderName,
  streamingProviderNames,
  streamingProviders,
  transcriberPrices
} from "@trunkline/transcriber-websocket"
import { type Layer, Redacted } from "effect"
import { commonProblems, type NamedProblem, type NamedSpeech } from "./NamedSpeech.js"

export type { StreamingProviderName }

/** A live transcriber by the name of its provider. */
export type NamedListener = NamedSpeech<StreamingProviderName>

/** True for the name of a provider of live transcription. */
export const isStreamingProvider = (name: string): name is StreamingProviderName =>
  streamingProviderNames.some((provider) => provider === name)

const modelOf = ({ model, name }: NamedListener): string => model ?? streamingProviders[name].model ?? ""

/** Environment variable that usually holds the key of a provider; null for local servers. */
export const listenerKeyVariable = (name: StreamingProviderName): string | null => streamingProviders[name].keyVariable

/** Languages that a transcriber hears. */
export const listenerLanguages = (listener: NamedListener): ReadonlyArray<LanguageCode> =>
  listener.languages ?? streamingProviders[listener.name].languagesOf(modelOf(listener))

/** Problems with the options of a live transcriber. */
export const listenerProblems = (listener: NamedListener): ReadonlyArray<NamedProblem> => {
  const provider = streamingProviders[listener.name]
  const model = modelOf(listener)
  return [
    ...commonProblems({ ...listener, model: model || undefined }, {
      label: provider.label,
      keyVariable: provider.keyVariable,
      defaultUrl: provider.urlOf(model),
      schemes: /^wss?:$/,
      rates: provider.rates,
      languages: provider.languagesOf(model),
      verb: "hears"
    }),
    ...(listener.model !== undefined && provider.model === null
      ? [{ field: "model" as const, message: `must be absent: ${provider.label} has one model` }]
      : []),
    ...(listener.voice === undefined ? [] : [{ field: "voice" as const, message: "is for voices only" }])
  ]
}

/** The layer of a live transcriber. Its address is the host's own, so it may be a private one without encryption. */
export const namedListenerLayer = (listener: NamedListener): Layer.Layer<Listener> => {
  const { dialect, label, rates, urlOf } = streamingProviders[listener.name]
  const model = modelOf(listener)
  // A service that takes some rates only gets the sound of most telephones, of which it takes 8 kHz, as it is.
  const rate = listener.rate ?? (rates === null || rates.includes(8_000) ? undefined : rates[0])
  const layer = ListenerWebSocket.layer({
    url: listener.url ?? urlOf(model),
    dialect: { ...dialect(model), languages: listenerLanguages(listener) },
    who: `${label} transcriber`,
    allowInsecureUrls: true,
    allowPrivateUrls: true,
    ...(listener.apiKey && { apiKey: Redacted.make(listener.apiKey) }),
    ...(rate !== undefined && { rate })
  })
  return countedListenerLayer(layer, pricedListener(listener))
}

/** A line about a transcriber for the operator. */
export const describeListener = (listener: NamedListener): string =>
  [streamingProviders[listener.name].label, modelOf(listener)].filter((part) => part !== "").join(" ")

/** Name and model of a transcriber, as in the table of prices. */
export const pricedListener = (listener: NamedListener) => ({ provider: listener.name, model: modelOf(listener) })

/** Name of faster-whisper's server in options. */
export const fasterWhisperName = "faster-whisper"

/** A faster-whisper server, which hears turn by turn. */
export type NamedWhisper = NamedSpeech<typeof fasterWhisperName>

const whisperUrl = "http://127.0.0.1:8000/v1"

/** Languages of Whisper (its file `tokenizer.py`), of the twelve: all but Odia. */
const whisperLanguages: ReadonlyArray<LanguageCode> = LanguageCode.literals.filter((code) => code !== "od-IN")

/** Languages that a faster-whisper server hears. */
export const whisperLanguagesOf = ({ languages }: NamedWhisper): ReadonlyArray<LanguageCode> =>
  languages ?? whisperLanguages

/** Problems with the options of a faster-whisper server. */
export const whisperProblems = (whisper: NamedWhisper): ReadonlyArray<NamedProblem> => [
  ...commonProblems(whisper, {
    label: "faster-whisper",
    keyVariable: null,
    defaultUrl: whisperUrl,
    schemes: /^https?:$/,
    rates: null,
    languages: whisperLanguages,
    verb: "hears"
  }),
  ...(whisper.rate === undefined
    ? []
    : [{ field: "rate" as const, message: "must be absent: it takes files of 16 kHz" }]),
  ...(whisper.voice === undefined ? [] : [{ field: "voice" as const, message: "is for voices only" }])
]

/** The layer of a faster-whisper server behind OpenAI's path, by https://speaches.ai. */
export const whisperLayer = (
  { apiKey, model = "Systran/faster-whisper-small", url = whisperUrl }: NamedWhisper
): Layer.Layer<
  Transcriber
> =>
  countedTranscriberLayer(
    TranscriberOpenAi.layer({ baseUrl: url, model, ...(apiKey && { apiKey: Redacted.make(apiKey) }) }),
    { provider: fasterWhisperName, model }
  )

/** Public prices of the transcribers. */
export const pricesOfTranscribers: ProviderPriceTable = [...transcriberPrices, {
  service: "transcriber",
  provider: fasterWhisperName,
  model: "*",
  unit: "minute",
  amount: 0,
  currency: "USD",
  per: 1,
  readOn: null,
  page: null
}]
