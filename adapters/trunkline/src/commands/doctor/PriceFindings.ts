import { findPrice, type PricedService, type PricedUnit, type ProviderPriceTable } from "@trunkline/kernel"
import { conversationModel } from "@trunkline/models"
import type { Finding } from "../../data/Doctor.js"
import type { Model } from "../../options/ModelOptions.js"
import { customProvider, openAiProvider } from "../../options/ModelProviders.js"
import { namedOf } from "../../options/speech/NamedOptions.js"
import { isStreamingProvider, pricedListener } from "../../options/speech/NamedTranscriber.js"
import { isVoiceProvider, pricedVoice } from "../../options/speech/NamedVoice.js"
import { priceTable } from "../../options/speech/Prices.js"
import type { TranscriberOption, Voice } from "../../options/speech/VoiceOptions.js"
import type { TrunklineOptions } from "../../options/TrunklineOptions.js"
import type { Environment } from "../../server/ConfigFields.js"
import type { LoadedConfig } from "../../server/LoadConfig.js"
import type { ServerConfig } from "../../server/ServerConfig.js"
import { isWhisper, namedListenerOf, namedVoiceOf } from "../../server/speech/NamedSettings.js"
import { isNamedTranscriber, isNamedVoice } from "../../server/speech/SpeechSettings.js"

/** A part that calls are charged for. */
interface ChargedPart {
  readonly service: PricedService
  readonly provider: string
  readonly model: string
}

const tokens = ["input_token", "cached_input_token", "output_token"] as const satisfies ReadonlyArray<PricedUnit>

/** Units that need prices: each of a model's, and one of those of any other part. */
const lackingUnits = (table: ProviderPriceTable, part: ChargedPart): ReadonlyArray<PricedUnit> => {
  const isKnown = (unit: PricedUnit) => (findPrice(table, { ...part, unit })?.amount ?? null) !== null
  if (part.service === "model") return tokens.filter((unit) => !isKnown(unit))
  if (part.service === "voice") return isKnown("character") || isKnown("minute") ? [] : ["character"]
  return isKnown("minute") ? [] : ["minute"]
}

/** True for a line with a price of its own, of its provider, or of some of the numbers that are called. */
const hasCarrierPrice = (table: ProviderPriceTable, { model: line, provider }: ChargedPart): boolean =>
  table.some((price) =>
    price.service === "carrier" && price.provider === provider && price.amount !== null &&
    (price.connection_id ?? line) === line
  )

const modelsOf = (model: Model | undefined): ReadonlyArray<ChargedPart> => {
  if (model === undefined) return []
  if (!("provider" in model)) return [{ service: "model", provider: customProvider.provider, model: conversationModel }]
  if (model.provider !== "openai") return []
  const { baseUrl = "https://api.openai.com/v1", model: commonModel, models = {} } = model.options
  const { provider } = openAiProvider(baseUrl, {})
  const names = new Set([...(commonModel === undefined ? [] : [commonModel]), ...Object.values(models)])
  return [...names].map((name) => ({ service: "model", provider, model: name }))
}

const voiceOf = (voice: Voice, index: number): ChargedPart => {
  if (!("provider" in voice)) return { service: "voice", provider: "custom", model: voice.name ?? "voice" }
  return isVoiceProvider(voice.provider)
    ? { service: "voice", ...pricedVoice(namedOf(voice.provider, voice.options ?? {}, `voices.${index}`)) }
    : { service: "voice", provider: voice.provider, model: "" }
}

const transcriberOf = (transcriber: TranscriberOption | undefined): ReadonlyArray<ChargedPart> => {
  if (transcriber === undefined) return []
  if (!("provider" in transcriber)) return [{ service: "transcriber", provider: "custom", model: "" }]
  return isStreamingProvider(transcriber.provider)
    ? [{
      service: "transcriber",
      ...pricedListener(namedOf(transcriber.provider, transcriber.options ?? {}, "transcriber"))
    }]
    : [{ service: "transcriber", provider: transcriber.provider, model: "" }]
}

const lineOf = ({ connection_id, provider }: { readonly connection_id: string; readonly provider: string }) =>
  ({ service: "carrier", provider, model: connection_id }) as const

const inModule = ({ lines = [], model, transcriber, voices = [] }: TrunklineOptions): ReadonlyArray<ChargedPart> => [
  ...modelsOf(model),
  ...voices.map(voiceOf),
  ...transcriberOf(transcriber),
  ...lines.map(lineOf)
]

const inFile = (config: ServerConfig, env: Environment): ReadonlyArray<ChargedPart> => {
  const { connections, model, speech, transcriber } = config
  const models: ReadonlyArray<string> = model.kind === "scripted"
    ? []
    : [...new Set(Object.values<string>(model.models))]
  const { provider } = openAiProvider(model.kind === "scripted" ? "" : model.base_url, {})
  const voice = isNamedVoice(speech)
    ? pricedVoice(namedVoiceOf(speech, env))
    : { provider: speech.kind === "embedded" ? "espeak" : "server", model: "" }
  const ears = transcriber === null
    ? []
    : isNamedTranscriber(transcriber)
    ? isWhisper(transcriber) ? [] : [pricedListener(namedListenerOf(transcriber, env))]
    : [{ provider: transcriber.kind === "streaming" ? transcriber.dialect : "server", model: transcriber.model ?? "" }]
  return [
    ...models.map((name) => ({ service: "model", provider, model: name }) as const),
    { service: "voice", ...voice },
    ...ears.map((ear) => ({ service: "transcriber", ...ear }) as const),
    ...connections.map(lineOf)
  ]
}

const unitNames: Partial<Record<PricedUnit, string>> = {
  input_token: "input tokens",
  cached_input_token: "cached input tokens",
  output_token: "output tokens",
  character: "characters",
  minute: "minutes"
}

const lackOf = (table: ProviderPriceTable, part: ChargedPart): ReadonlyArray<string> => {
  const units = part.service === "carrier" && hasCarrierPrice(table, part) ? [] : lackingUnits(table, part)
  const name = part.model === "" ? part.provider : `${part.provider} ${part.model}`
  return units.length === 0 ? [] : [`${part.service} ${name} (${units.map((unit) => unitNames[unit]).join(", ")})`]
}

/** Parts of the configuration without a price, so that costs of calls are not complete. It is no fault. */
export const priceFinding = (loadedConfig: LoadedConfig, env: Environment): Finding => {
  const isFile = loadedConfig.kind === "json"
  const table = isFile
    ? priceTable(loadedConfig.config.prices)
    : priceTable(loadedConfig.options.prices?.map((price) => ({ model: "*", per: 1, ...price })))
  const parts = isFile ? inFile(loadedConfig.config, env) : inModule(loadedConfig.options)
  const lacks = parts.flatMap((part) => lackOf(table, part))
  return {
    name: "prices",
    ok: true,
    detail: lacks.length === 0 ? "every part has a price" : `unknown: ${lacks.join("; ")}`,
    advice: lacks.length === 0 ? null : "add them to prices, so that the costs of calls are complete"
  }
}
