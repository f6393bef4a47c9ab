import type { ProviderPriceTable } from "@trunkline/kernel"
import { modelLayer } from "../../options/ModelLayer.js"
import { namedOf } from "../../options/speech/NamedOptions.js"
import { describeListener, isStreamingProvider, pricedListener } from "../../options/speech/NamedTranscriber.js"
import { describeVoice, isVoiceProvider, pricedVoice } from "../../options/speech/NamedVoice.js"
import { priceLine, priceTable } from "../../options/speech/Prices.js"
import { defaultRealtimeModels, realtimeLayer } from "../../options/speech/RealtimeLayer.js"
import type { ProvidedRealtime } from "../../options/speech/RealtimeOption.js"
import { isStreaming, listenerLayer, transcriberLayer } from "../../options/speech/TranscriberLayer.js"
import { voicesLayer } from "../../options/speech/VoiceLayer.js"
import type { Voice } from "../../options/speech/VoiceOptions.js"
import type { TrunklineOptions } from "../../options/TrunklineOptions.js"
import type { Environment } from "../../server/ConfigFields.js"
import type { LoadedConfig } from "../../server/LoadConfig.js"
import { modelOf } from "../../server/Model.js"
import type { ServerConfig } from "../../server/ServerConfig.js"
import { isWhisper, namedListenerOf, namedVoiceOf } from "../../server/speech/NamedSettings.js"
import { providedRealtimeOf } from "../../server/speech/RealtimeSettings.js"
import { recognizerOf, synthesizerOf, transcriberName, voiceName } from "../../server/speech/Speech.js"
import { isNamedTranscriber, isNamedVoice } from "../../server/speech/SpeechSettings.js"
import type { Probe } from "./ProviderProbes.js"

/** A model that hears and speaks. */
const realtimeProbe = (
  realtime: ProvidedRealtime,
  table: ProviderPriceTable
): Probe => {
  const model = realtime.options.model ?? defaultRealtimeModels[realtime.provider]
  return {
    part: "realtime",
    about: model,
    layer: realtimeLayer(realtime),
    price: priceLine(table, { service: "model", provider: "openai", model })
  }
}

/** Parts of a configuration file. espeak-ng and the scripted model are on this machine, and not called. */
const inFile = (
  { model, prices, realtime, speech, transcriber }: ServerConfig,
  env: Environment
): ReadonlyArray<Probe> => {
  const table = priceTable(prices)
  const { listener, transcriber: whole } = { listener: undefined, transcriber: undefined, ...recognizerOf(transcriber) }
  const voicePrice = isNamedVoice(speech)
    ? priceLine(table, { service: "voice", ...pricedVoice(namedVoiceOf(speech, env)) })
    : undefined
  const listenerPrice = transcriber !== null && isNamedTranscriber(transcriber) && !isWhisper(transcriber)
    ? priceLine(table, { service: "transcriber", ...pricedListener(namedListenerOf(transcriber, env)) })
    : undefined
  const about = transcriber === null ? "" : transcriberName(transcriber)
  return [
    ...(model.kind === "scripted"
      ? []
      : [{ part: "model" as const, about: new URL(model.base_url).host, layer: modelOf(model) }]),
    ...(speech.kind === "embedded"
      ? []
      : [{ part: "voice" as const, about: voiceName(speech), layer: synthesizerOf(speech), price: voicePrice }]),
    ...(listener === undefined ? [] : [{ part: "listener" as const, about, layer: listener, price: listenerPrice }]),
    ...(whole === undefined ? [] : [{ part: "transcriber" as const, about, layer: whole }]),
    ...(realtime === null
      ? []
      : [realtimeProbe(providedRealtimeOf(realtime, env), table)])
  ]
}

const voiceProbe = (voice: Voice, index: number, table: ProviderPriceTable): ReadonlyArray<Probe> => {
  if (!("provider" in voice) || voice.provider === "espeak") return []
  const layer = voicesLayer([voice])
  if (!isVoiceProvider(voice.provider)) return [{ part: "voice", about: voice.provider, layer }]
  const namedSpeech = namedOf(voice.provider, voice.options ?? {}, `voices.${index}`)
  return [{
    part: "voice",
    about: describeVoice(namedSpeech),
    layer,
    price: priceLine(table, { service: "voice", ...pricedVoice(namedSpeech) })
  }]
}

const transcriberProbe = (
  { transcriber }: TrunklineOptions,
  table: ProviderPriceTable
): ReadonlyArray<Probe> => {
  if (transcriber === undefined || !("provider" in transcriber)) return []
  if (!isStreaming(transcriber)) {
    return [{ part: "transcriber", about: transcriber.provider, layer: transcriberLayer(transcriber) }]
  }
  const layer = listenerLayer(transcriber)
  if (transcriber.provider === "streaming") return [{ part: "listener", about: transcriber.options.dialect, layer }]
  if (!isStreamingProvider(transcriber.provider)) return []
  const namedSpeech = namedOf(transcriber.provider, transcriber.options, "transcriber")
  return [{
    part: "listener",
    about: describeListener(namedSpeech),
    layer,
    price: priceLine(table, { service: "transcriber", ...pricedListener(namedSpeech) })
  }]
}

/** Parts of the options of a module. Objects of the host are its own affair. Throws `InvalidOption`. */
const inModule = (options: TrunklineOptions): ReadonlyArray<Probe> => {
  const { model, realtime, voices = [] } = options
  const table = priceTable(options.prices?.map((price) => ({ model: "*", per: 1, ...price })))
  return [
    ...(model !== undefined && "provider" in model && model.provider === "openai"
      ? [{ part: "model" as const, about: model.options.model ?? "openai", layer: modelLayer(model) }]
      : []),
    ...voices.flatMap((voice, index) => voiceProbe(voice, index, table)),
    ...transcriberProbe(options, table),
    ...(realtime === undefined ? [] : [realtimeProbe(realtime, table)])
  ]
}

/** The parts of a configuration that are services: its models, its voices and its transcriber. Throws `InvalidOption`. */
export const configuredParts = (loadedConfig: LoadedConfig, env: Environment): ReadonlyArray<Probe> =>
  loadedConfig.kind === "json" ? inFile(loadedConfig.config, env) : inModule(loadedConfig.options)
