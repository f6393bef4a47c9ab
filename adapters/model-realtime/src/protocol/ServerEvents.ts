import type { ProviderFault } from "@trunkline/http-client"
import { isJsonObject, numberOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import type { ToolRequest } from "@trunkline/models"
import { replyOf } from "./ClientEvents.js"

/** Tokens or seconds that a response or a transcription has used, as the server counts them. */
export interface CountedUsage {
  readonly seconds: number
  readonly input: number
  readonly cached: number
  readonly audioInput: number
  readonly output: number
  readonly audioOutput: number
}

/** An event of the server, in either generation of names. */
export type ServerEvent =
  | { readonly _tag: "Created"; readonly expiresAt: number | null }
  | { readonly _tag: "SpeechStarted" }
  /** The turn of an item is over, whose sound ends so many milliseconds after the first sound of the session. */
  | { readonly _tag: "SpeechStopped"; readonly endMillis: number | null }
  | { readonly _tag: "TranscriptDelta"; readonly item: string; readonly text: string }
  | {
    readonly _tag: "Transcript"
    readonly item: string
    /** Null when it failed. */
    readonly text: string | null
    readonly usage: CountedUsage | null
  }
  | { readonly _tag: "ResponseCreated"; readonly id: string; readonly reply: number | null }
  | { readonly _tag: "Audio"; readonly response: string; readonly item: string; readonly base64: string }
  | { readonly _tag: "AudioTranscript"; readonly response: string; readonly text: string }
  | { readonly _tag: "FunctionCall"; readonly response: string; readonly request: ToolRequest }
  | {
    readonly _tag: "ResponseDone"
    readonly response: string
    /** Null unless it failed. */
    readonly fault: ProviderFault | null
    readonly usage: CountedUsage | null
  }
  /** An error. `reply`: of the answer that was asked for; `isEnd`: of the session. */
  | {
    readonly _tag: "Error"
    readonly code: string
    readonly fault: ProviderFault
    readonly reply: number | null
    readonly isEnd: boolean
    readonly isExpired: boolean
  }
  /** An event that needs no action. */
  | { readonly _tag: "Notice" }

/** Codes of `error.code` (developers.openai.com/api/docs/guides/error-codes). */
const codes: Readonly<Record<string, ProviderFault>> = {
  invalid_api_key: "unauthorized",
  insufficient_quota: "paymentRequired",
  credit_balance_exhausted: "paymentRequired",
  model_not_found: "unknownModel",
  rate_limit_exceeded: "rateLimited",
  invalid_voice: "unknownVoice",
  server_error: "failed"
}

/** Faults after which no session is of use. */
export const lastingFaults: ReadonlySet<ProviderFault> = new Set([
  "unauthorized",
  "paymentRequired",
  "unknownModel",
  "unknownVoice"
])

/** The fault of a code. */
export const faultOfCode = (code: string): ProviderFault => codes[code] ?? "failed"

const usageOf = (value: unknown): CountedUsage | null => {
  if (!isJsonObject(value)) return null
  const input = objectOf(value["input_token_details"])
  const output = objectOf(value["output_token_details"])
  const cachedAudio = numberOf(objectOf(input["cached_tokens_details"])["audio_tokens"]) ?? 0
  return {
    seconds: numberOf(value["seconds"]) ?? 0,
    input: numberOf(value["input_tokens"]) ?? 0,
    cached: numberOf(input["cached_tokens"]) ?? 0,
    audioInput: Math.max(0, (numberOf(input["audio_tokens"]) ?? 0) - cachedAudio),
    output: numberOf(value["output_tokens"]) ?? 0,
    audioOutput: numberOf(output["audio_tokens"]) ?? 0
  }
}

const readError = (error: Readonly<Record<string, unknown>>): ServerEvent => {
  const code = stringOf(error["code"]) ?? stringOf(error["type"]) ?? ""
  const fault = faultOfCode(code)
  const isExpired = code === "session_expired"
  const reply = replyOf(stringOf(error["event_id"]))
  const isOfSession = stringOf(error["param"])?.startsWith("session") === true
  return {
    _tag: "Error",
    code: /^[\w.-]{0,60}$/u.test(code) ? code : "",
    fault: isOfSession ? "badRequest" : fault,
    reply,
    isEnd: isExpired || isOfSession || lastingFaults.has(fault),
    isExpired
  }
}

const doneOf = (response: Readonly<Record<string, unknown>>): ServerEvent => ({
  _tag: "ResponseDone",
  response: stringOf(response["id"]) ?? "",
  fault: response["status"] === "failed"
    ? faultOfCode(stringOf(objectOf(objectOf(response["status_details"])["error"])["code"]) ?? "")
    : null,
  usage: usageOf(response["usage"])
})

/** Names of the beta that have changed since. */
const currentName = (type: string): string =>
  type.replace(/^response\.(audio|audio_transcript|text)\./u, "response.output_$1.")

const transcription = "conversation.item.input_audio_transcription"

/** Reads a message of the server; null when it is malformed. */
export const readServerEvent = (text: string): ServerEvent | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  const item = stringOf(message["item_id"]) ?? ""
  const response = stringOf(message["response_id"]) ?? ""
  const delta = stringOf(message["delta"]) ?? ""
  switch (currentName(stringOf(message["type"]) ?? "")) {
    case "session.created": {
      const expires = numberOf(objectOf(message["session"])["expires_at"])
      return { _tag: "Created", expiresAt: expires === undefined || expires <= 0 ? null : expires * 1_000 }
    }
    case "input_audio_buffer.speech_started":
      return { _tag: "SpeechStarted" }
    case "input_audio_buffer.speech_stopped":
      return { _tag: "SpeechStopped", endMillis: numberOf(message["audio_end_ms"]) ?? null }
    case `${transcription}.delta`:
      return { _tag: "TranscriptDelta", item, text: delta }
    case `${transcription}.completed`: {
      const usage = usageOf(message["usage"])
      return { _tag: "Transcript", item, text: stringOf(message["transcript"]) ?? "", usage }
    }
    case `${transcription}.failed`:
      return { _tag: "Transcript", item, text: null, usage: null }
    case "response.created": {
      const details = objectOf(message["response"])
      const reply = replyOf(stringOf(objectOf(details["metadata"])["reply"]))
      return { _tag: "ResponseCreated", id: stringOf(details["id"]) ?? "", reply }
    }
    case "response.output_audio.delta":
      return { _tag: "Audio", response, item, base64: delta }
    case "response.output_audio_transcript.delta":
      return { _tag: "AudioTranscript", response, text: delta }
    case "response.output_item.done": {
      const { arguments: args, call_id, name, type } = objectOf(message["item"])
      if (type !== "function_call") return { _tag: "Notice" }
      const request = { id: stringOf(call_id) ?? "", name: stringOf(name) ?? "", arguments: stringOf(args) ?? "" }
      return { _tag: "FunctionCall", response, request }
    }
    case "response.done":
      return doneOf(objectOf(message["response"]))
    case "error":
      return readError(objectOf(message["error"]))
    default:
      return { _tag: "Notice" }
  }
}

/** The fault that the body of a refused handshake tells; null where its status tells all. */
export const faultOfBody = (json: unknown): ProviderFault | null =>
  codes[stringOf(objectOf(objectOf(json)["error"])["code"]) ?? ""] ?? null
