import type { ProviderFault } from "@trunkline/http-client"
import { isJsonObject, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { isoCode, type LanguageCode } from "@trunkline/spoken-text"
import { Redacted } from "effect"
import type { ListenDialect, ServerReply } from "../ListenDialect.js"

/** Options of the dialect of OpenAI's realtime transcription. */
export interface OpenAiRealtimeOptions {
  /** Model name. Default: `gpt-live-transcribe`. */
  readonly model?: string
}

/** Languages that OpenAI lists for transcription, of the twelve (developers.openai.com/api/docs/guides/speech-to-text). */
const languages: ReadonlyArray<LanguageCode> = ["en-IN", "hi-IN", "kn-IN", "mr-IN", "ta-IN"]

/** Codes of `error.code` (developers.openai.com/api/docs/guides/error-codes). */
const codes: Readonly<Record<string, ProviderFault>> = {
  invalid_api_key: "unauthorized",
  insufficient_quota: "paymentRequired",
  model_not_found: "unknownModel",
  rate_limit_exceeded: "rateLimited",
  invalid_language: "unsupportedLanguage"
}

const answerOf = (text: string, id: string | undefined): ServerReply => ({
  _tag: "Words",
  text,
  isFinal: true,
  until: null,
  isFlushed: true,
  id
})

/** Reads an error. Most leave the session as it is; those of its settings and of the account do not. */
const readError = (error: Readonly<Record<string, unknown>>): ServerReply => {
  const code = stringOf(error["code"]) ?? ""
  if (code === "input_audio_buffer_commit_empty") return answerOf("", undefined)
  const fault = codes[code]
  if (fault !== undefined) return { _tag: "Failed", fault }
  if (code === "session_expired") return { _tag: "Failed" }
  return stringOf(error["param"])?.startsWith("session") ? { _tag: "Failed", fault: "badRequest" } : { _tag: "Notice" }
}

const transcription = "conversation.item.input_audio_transcription"

/** Events that need no action. */
const notices =
  /^(session\.(created|updated)|conversation\.(created|item\.(added|created|done))|input_audio_buffer\.(cleared|speech_(started|stopped))|rate_limits\.updated|conversation\.item\.input_audio_transcription\.segment)$/

const read = (text: string): ServerReply | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  const type = stringOf(message["type"]) ?? ""
  const id = stringOf(message["item_id"])
  switch (type) {
    case `${transcription}.delta`:
      return { _tag: "Delta", text: stringOf(message["delta"]) ?? "", id }
    case `${transcription}.completed`:
      return answerOf(stringOf(message["transcript"]) ?? "", id)
    case `${transcription}.failed`:
      return answerOf("", id)
    case "input_audio_buffer.committed":
      return id === undefined ? null : { _tag: "Named", id }
    case "error":
      return readError(objectOf(message["error"]))
    default:
      return notices.test(type) ? { _tag: "Notice" } : null
  }
}

/** Models whose field for a language is documented (its API reference, `AudioTranscription.language`). */
const takesLanguage = /^(gpt-4o-.*transcribe|whisper|gpt-realtime-whisper)/

/**
 * Dialect of OpenAI's realtime transcription, for `wss://api.openai.com/v1/realtime?intent=transcription`, by
 * https://developers.openai.com/api/docs/guides/realtime-transcription: the detection of turns is off, and we commit each turn, whose
 * transcript comes by the name of its item. Sound is 24 kHz. `gpt-live-transcribe` takes hints of languages, but no page that we
 * read names their field, so it detects the language; older models are told.
 */
export const openAiRealtime = ({ model = "gpt-live-transcribe" }: OpenAiRealtimeOptions = {}): ListenDialect => ({
  name: "openai",
  packet: "40 millis",
  rate: 24_000,
  languages,
  sound: (packet) =>
    JSON.stringify({ type: "input_audio_buffer.append", audio: Buffer.from(packet).toString("base64") }),
  open: ({ apiKey, language, rate, url }) => {
    const address = new URL(url)
    address.searchParams.set("intent", "transcription")
    const hint = language !== null && takesLanguage.test(model) ? { language: isoCode(language) } : {}
    const input = { format: { type: "audio/pcm", rate }, transcription: { model, ...hint }, turn_detection: null }
    return {
      url: address,
      headers: apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` },
      messages: [JSON.stringify({ type: "session.update", session: { type: "transcription", audio: { input } } })]
    }
  },
  flush: () => JSON.stringify({ type: "input_audio_buffer.commit" }),
  keepAlive: null,
  closing: null,
  answersEach: false,
  answersFlushes: true,
  read,
  mayReconnect: ({ code }) => code !== 1008,
  faultOf: ({ json }) => codes[stringOf(objectOf(objectOf(json)["error"])["code"]) ?? ""] ?? null
})
