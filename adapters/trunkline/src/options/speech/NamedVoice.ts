import type { ProviderPriceTable } from "@trunkline/kernel"
import { countedVoiceLayer, type Synthesizer } from "@trunkline/speech"
import {
  SynthesizerOpenAi,
  voicePrices,
  type VoiceProviderName,
  voiceProviderNames,
  voiceProviders
} from "@trunkline/speech-openai"
import type { LanguageCode } from "@trunkline/spoken-text"
import { type Layer, Redacted } from "effect"
import { commonProblems, type NamedProblem, type NamedSpeech } from "./NamedSpeech.js"

export type { VoiceProviderName }

/** A voice by the name of its provider. */
export type NamedVoice = NamedSpeech<VoiceProviderName>

/** True for the name of a provider of voices. */
export const isVoiceProvider = (name: string): name is VoiceProviderName =>
  voiceProviderNames.some((provider) => provider === name)

const modelOf = ({ model, name }: NamedVoice): string => model ?? voiceProviders[name].model ?? ""

/** Environment variable that usually holds the key of a provider; null for local servers. */
export const voiceKeyVariable = (name: VoiceProviderName): string | null => voiceProviders[name].keyVariable

/** Languages that a voice speaks. */
export const voiceLanguages = (voice: NamedVoice): ReadonlyArray<LanguageCode> =>
  voice.languages ?? voiceProviders[voice.name].languagesOf(modelOf(voice))

/** Problems with the options of a voice. */
export const voiceProblems = (voice: NamedVoice): ReadonlyArray<NamedProblem> => {
  const provider = voiceProviders[voice.name]
  const isLocal = provider.keyVariable === null
  const needsVoice = voice.voice === undefined && provider.voice === null
  return [
    ...commonProblems({ ...voice, model: modelOf(voice) || undefined }, {
      label: provider.label,
      keyVariable: provider.keyVariable,
      defaultUrl: provider.baseUrl,
      schemes: /^https?:$/,
      rates: provider.rates,
      // A local server may have other models than ours.
      languages: isLocal ? voice.languages ?? [] : provider.languagesOf(modelOf(voice)),
      verb: "speaks"
    }),
    ...(needsVoice
      ? [{ field: "voice" as const, message: `${provider.label} has no default voice: give the id of one` }]
      : [])
  ]
}

/** The layer of a voice. */
export const namedVoiceLayer = (voice: NamedVoice): Layer.Layer<Synthesizer> => {
  const { baseUrl, dialect, label, voice: defaultVoice } = voiceProviders[voice.name]
  const model = modelOf(voice)
  const voiceName = voice.voice ?? defaultVoice
  const layer = SynthesizerOpenAi.layer({
    baseUrl: voice.url ?? baseUrl,
    dialect: dialect(model),
    who: `${label} speech server`,
    languages: voiceLanguages(voice),
    ...(model !== "" && { model }),
    ...(voiceName !== null && { voice: voiceName }),
    ...(voice.rate !== undefined && { nativeRate: voice.rate }),
    ...(voice.apiKey && { apiKey: Redacted.make(voice.apiKey) })
  })
  return countedVoiceLayer(layer, pricedVoice(voice))
}

/** A line about a voice for the operator. */
export const describeVoice = (voice: NamedVoice): string =>
  [voiceProviders[voice.name].label, modelOf(voice)].filter((part) => part !== "").join(" ")

/** Name and model of a voice, as in the table of prices. */
export const pricedVoice = (voice: NamedVoice) => ({ provider: voice.name, model: modelOf(voice) })

/** Public prices of the voices. */
export const pricesOfVoices: ProviderPriceTable = voicePrices
