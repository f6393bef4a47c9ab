import { type ProviderFault, statusErrorKind } from "@trunkline/http-client"
import { fieldOf, isJsonObject, numberOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { LanguageCode } from "@trunkline/spoken-text"
import { Redacted } from "effect"
import type { ListenDialect, ServerReply } from "../ListenDialect.js"

/** Options of the Sarvam dialect. */
export interface SarvamOptions {
  /** Model name. Default: `saaras:v3-realtime`. */
  readonly model?: string
  /** Further query parameters, such as `mode` or `prompt`; they replace those of the dialect. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** Sarvam's code of a language: that of Trunkline, but `or-IN` for Odia; `auto` detects it. */
const nameOf = (language: LanguageCode | null): string =>
  language === null ? "auto" : language === "od-IN" ? "or-IN" : language

/** Codes of errors (docs.sarvam.ai, "Errors & Troubleshooting"). */
const codes: Readonly<Record<string, ProviderFault>> = {
  invalid_api_key_error: "unauthorized",
  insufficient_quota_error: "paymentRequired",
  rate_limit_exceeded_error: "rateLimited"
}

/** Faults by words of a reason. */
const reasons: ReadonlyArray<readonly [words: RegExp, fault: ProviderFault]> = [
  [/quota|credit|balance/i, "paymentRequired"],
  [/rate limit|too many/i, "rateLimited"],
  [/subscription key|api key|unauthori[sz]ed|invalid key/i, "unauthorized"],
  [/beta|access|permission|denied/i, "forbidden"],
  [/language/i, "unsupportedLanguage"],
  [/model/i, "unknownModel"],
  [/encoding|sample.?rate|audio/i, "wrongSound"]
]

const faultOfReason = (text: string): ProviderFault | null => reasons.find(([words]) => words.test(text))?.[1] ?? null

const readError = (message: Readonly<Record<string, unknown>>): ServerReply => {
  if (message["is_fatal"] !== true) return { _tag: "Notice" }
  const status = numberOf(message["status_code"])
  const fault = codes[stringOf(message["code"]) ?? ""]
    ?? faultOfReason(stringOf(message["message"]) ?? "")
    ?? (status === undefined ? null : statusErrorKind(status))
  return fault === null ? { _tag: "Failed" } : { _tag: "Failed", fault }
}

/** Events that need no action. */
const notices: ReadonlySet<unknown> = new Set([
  "session.begin",
  "session.end",
  "config.updated",
  "pong",
  "vad.speech_start",
  "vad.speech_end"
])

const read = (text: string): ServerReply | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  const event = message["event"]
  if (event === "error") return readError(message)
  if (notices.has(event)) return { _tag: "Notice" }
  const words = stringOf(message["text"])
  if (words === undefined || (event !== "transcript.partial" && event !== "transcript.final")) return null
  const isFinal = event === "transcript.final"
  return { _tag: "Words", text: words, isFinal, until: null, isFlushed: isFinal }
}

const event = (name: string, fields: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify({ event: name, ...fields })

/** Close codes of refusals: a limit, a quota or a key (1003), and everything that the application refuses (4000). */
const refusals: ReadonlySet<number> = new Set([1003, 4000])

/**
 * Dialect of Sarvam's realtime streaming, for `wss://api.sarvam.ai/speech-to-text-realtime/ws`, by
 * https://docs.sarvam.ai/api-reference/speech-to-text/transcribe/realtime/ws: we delimit turns (`endpointing=manual`), each of which
 * has one final transcript. Sarvam calls it a beta that needs access. Close codes are documented; the words of their reasons are
 * not, so a fault is read out of them only where they say one. No page says whether a turn without speech has a final
 * transcript: if it has none, its flush waits out the time limit.
 */
export const sarvamRealtime = (
  { model = "saaras:v3-realtime", parameters = {} }: SarvamOptions = {}
): ListenDialect => ({
  name: "sarvam",
  packet: "40 millis",
  languages: LanguageCode.literals,
  sound: (packet) => event("audio_input", { audio: Buffer.from(packet).toString("base64") }),
  open: ({ apiKey, language, rate, url }) => {
    const address = new URL(url)
    const query = {
      language_code: nameOf(language),
      model,
      stream_type: "fast",
      endpointing: "manual",
      encoding: "linear16",
      sample_rate: String(rate),
      ...parameters
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return {
      url: address,
      headers: apiKey === null ? {} : { "api-subscription-key": Redacted.value(apiKey) },
      messages: [event("speech_start")]
    }
  },
  flush: () => [event("speech_end"), event("speech_start")],
  // A session without messages is closed with 1008; its page does not say after how long.
  keepAlive: { message: event("ping"), every: "5 seconds" },
  closing: event("end"),
  answersEach: false,
  answersFlushes: true,
  read,
  mayReconnect: ({ code }) => !refusals.has(code),
  closingFault: ({ code, reason }) => refusals.has(code) ? faultOfReason(reason) ?? "forbidden" : null,
  faultOf: ({ json }) => codes[stringOf(fieldOf(objectOf(objectOf(json)["error"]), "code")) ?? ""] ?? null
})
