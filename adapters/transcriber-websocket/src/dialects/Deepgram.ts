import type { FaultReader, ProviderFault } from "@trunkline/http-client"
import { isJsonObject, listOf, numberOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { Redacted } from "effect"
import type { ListenDialect, ServerReply } from "../ListenDialect.js"

/** Options of the Deepgram dialect. */
export interface DeepgramOptions {
  /** Model name. Default: `nova-3`. */
  readonly model?: string
  /** The server's names for languages. Default: ISO 639-1 codes, and `en-IN` for English. */
  readonly languageNames?: Partial<Readonly<Record<LanguageCode, string>>>
  /** Language name for an unknown language. Default: `multi`, which is several languages in one call. */
  readonly unknownLanguage?: string
  /** Further query parameters, such as `keyterm` or `mip_opt_out`; they replace those of the dialect. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** Messages without words. */
const notices: ReadonlySet<unknown> = new Set(["Metadata", "SpeechStarted", "UtteranceEnd"])

const readWords = (message: Readonly<Record<string, unknown>>): ServerReply | null => {
  const [best] = listOf(objectOf(message["channel"])["alternatives"])
  const text = stringOf(objectOf(best)["transcript"])
  const isFinal = message["is_final"]
  if (text === undefined || typeof isFinal !== "boolean") return null
  const start = numberOf(message["start"])
  const duration = numberOf(message["duration"])
  return {
    _tag: "Words",
    text,
    isFinal,
    until: start === undefined || duration === undefined ? null : start + duration,
    isFlushed: message["from_finalize"] === true
  }
}

const read = (text: string): ServerReply | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  if (message["type"] === "Results") return readWords(message)
  if (message["type"] === "Error") return { _tag: "Failed" }
  return notices.has(message["type"]) ? { _tag: "Notice" } : null
}

/** Languages of Nova-3 (developers.deepgram.com/docs/models-languages-overview, and its changelog up to August 2026). */
const novaLanguages: ReadonlyArray<LanguageCode> = [
  "bn-IN",
  "en-IN",
  "gu-IN",
  "hi-IN",
  "kn-IN",
  "mr-IN",
  "pa-IN",
  "ta-IN",
  "te-IN"
]

/** Languages that a model of Deepgram hears, of the twelve: nine of Nova-3, English and Hindi of the others, or English only. */
export const deepgramLanguages = (model: string): ReadonlyArray<LanguageCode> =>
  model.startsWith("nova-3")
    ? novaLanguages
    : /^flux-general-en|-(en|phonecall|meeting|medical)\b/.test(model)
    ? ["en-IN"]
    : ["en-IN", "hi-IN"]

/** Codes of `err_code` and `category` of refused handshakes (developers.deepgram.com/docs/errors). */
const codes: Readonly<Record<string, ProviderFault>> = {
  INVALID_AUTH: "unauthorized",
  INSUFFICIENT_PERMISSIONS: "forbidden",
  ASR_PAYMENT_REQUIRED: "paymentRequired",
  TOO_MANY_REQUESTS: "rateLimited"
}

/** Reads why Deepgram refused a handshake; 400 stands for a model or a language that it does not have. */
export const deepgramFault: FaultReader = ({ json, status }) => {
  const body = objectOf(json)
  const fault = codes[stringOf(body["err_code"]) ?? stringOf(body["category"]) ?? ""]
  return fault ?? (status === 400 || status === 404 ? "unknownModel" : null)
}

/** Reads the reason of a close frame, which for sound that cannot be decoded begins with `DATA-`. */
export const deepgramClosing = ({ reason }: { readonly reason: string }): ProviderFault | null =>
  reason.startsWith("DATA-") ? "wrongSound" : null

/** Close code of a message that the server refuses; Deepgram sends it with a reason that begins with `DATA-`. */
const policyViolation = 1008

/**
 * Dialect of Deepgram's live API, for `wss://api.deepgram.com/v1/listen`, written from its documentation. Interim results
 * are the partial words; `Finalize` asks for the final ones, and may stay without an
 * answer when little sound is left, so the server's endpointing is off. `KeepAlive` is sent for every 3 seconds without sound, since
 * the server closes a connection after 10.
 */
export const deepgram = (options: DeepgramOptions = {}): ListenDialect => {
  const { languageNames = {}, model = "nova-3", parameters = {}, unknownLanguage = "multi" } = options
  const nameOf = (language: LanguageCode): string =>
    languageNames[language] ?? (language === "en-IN" ? language : isoCode(language))

  return {
    name: "deepgram",
    packet: "40 millis",
    open: ({ apiKey, language, rate, url }) => {
      const address = new URL(url)
      const query = {
        encoding: "linear16",
        sample_rate: String(rate),
        channels: "1",
        interim_results: "true",
        endpointing: "false",
        punctuate: "true",
        model,
        language: language === null ? unknownLanguage : nameOf(language),
        ...parameters
      }
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
      return {
        url: address,
        headers: apiKey === null ? {} : { authorization: `Token ${Redacted.value(apiKey)}` },
        messages: []
      }
    },
    flush: () => JSON.stringify({ type: "Finalize" }),
    keepAlive: { message: JSON.stringify({ type: "KeepAlive" }), every: "3 seconds" },
    closing: JSON.stringify({ type: "CloseStream" }),
    answersEach: false,
    read,
    mayReconnect: ({ code, reason }) => code !== policyViolation && !reason.startsWith("DATA-"),
    closingFault: deepgramClosing,
    faultOf: deepgramFault
  }
}
