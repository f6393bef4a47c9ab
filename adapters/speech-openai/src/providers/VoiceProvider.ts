import type { ProviderFault } from "@trunkline/http-client"
import { objectOf, type ProviderPrice, type ProviderPriceTable, stringOf } from "@trunkline/kernel"
import type { LanguageCode } from "@trunkline/spoken-text"
import type { SpeechDialect } from "../SpeechDialect.js"

/** A provider of voices by its name: where it is, how it is spoken to, what it speaks and what it charges. */
export interface VoiceProvider {
  /** Name in options, such as `elevenlabs`. */
  readonly name: string
  /** Name for people, such as `ElevenLabs`. */
  readonly label: string
  /** URL of its service; that of the usual port on this machine for local servers. */
  readonly baseUrl: string
  /** Environment variable that usually holds its key; null for local servers, which need none. */
  readonly keyVariable: string | null
  /** Model where none is chosen; null when the server has one. */
  readonly model: string | null
  /** Voice where none is chosen; null when one must be. */
  readonly voice: string | null
  /** True when the sound is sent while it is made. */
  readonly isStreaming: boolean
  /** Sample rates that can be requested, in hertz; null when the server's own cannot be changed. */
  readonly rates: ReadonlyArray<number> | null
  /** Languages that a model speaks. For a model that is not listed it is those of the default. */
  readonly languagesOf: (model: string) => ReadonlyArray<LanguageCode>
  /** The requests of a model. */
  readonly dialect: (model: string) => SpeechDialect
  /** Prices of its models, by its public list. */
  readonly prices: ProviderPriceTable
}

/** Faults by the codes that a provider puts into the body of a refusal. */
export type FaultCodes = Readonly<Record<string, ProviderFault>>

/** The fault of a code; null for an unknown one. */
export const faultOfCode = (codes: FaultCodes, code: unknown): ProviderFault | null => {
  const text = stringOf(code)
  return text !== undefined && Object.hasOwn(codes, text) ? codes[text] ?? null : null
}

/** The object in a field of a body. */
export const fieldsIn = (json: unknown, ...path: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  path.reduce<Readonly<Record<string, unknown>>>((value, name) => objectOf(value[name]), objectOf(json))

/** Makes entries for prices of a voice by thousand characters, read on a day from a page. */
export const characterPrices = (
  provider: string,
  read: Pick<ProviderPrice, "page" | "readOn">,
  usdByModel: Readonly<Record<string, number | null>>
): ProviderPriceTable =>
  Object.entries(usdByModel).map(([model, usd]) => ({
    service: "voice",
    provider,
    model,
    unit: "character",
    amount: usd,
    currency: "USD",
    per: 1_000,
    ...read
  }))
