import type { Seen, Step } from "@trunkline/http-client/testing"
import { isJsonObject, numberOf, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import type { VoiceProviderName } from "../providers/VoiceProviders.js"

/** Contents of a request. */
export interface AskedSpeech {
  readonly key: string | undefined
  readonly voice: string | undefined
  readonly text: string | undefined
  readonly rate: number | undefined
  readonly pace: number
  /** Names of the fields of the body and of the query. */
  readonly fields: ReadonlyArray<string>
}

/** Refusals that a provider documents. */
export interface VoiceRefusals {
  readonly badKey: ReadonlyArray<Step>
  readonly noCredit: ReadonlyArray<Step>
  readonly unknownVoice: ReadonlyArray<Step>
  readonly tooLong: ReadonlyArray<Step>
  readonly limited: ReadonlyArray<Step>
  readonly down: ReadonlyArray<Step>
}

/** The request of a provider as it documents it, and its refusals. */
export interface VoiceShape {
  readonly path: RegExp
  /** Fields of body and query that must be there, and those that may. */
  readonly required: ReadonlyArray<string>
  readonly optional: ReadonlyArray<string>
  readonly read: (request: Seen) => AskedSpeech
  /** Content type of its sound. */
  readonly type: string
  readonly refusals: VoiceRefusals
}

const refusal = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): ReadonlyArray<Step> => [
  { status, headers: { "content-type": "application/json", ...headers } },
  { write: JSON.stringify(body) },
  "end"
]

const bodyOf = ({ body }: Seen): Readonly<Record<string, unknown>> => {
  const json = parseJson(Buffer.from(body).toString())
  return isJsonObject(json) ? json : {}
}

const queryOf = ({ path }: Seen): URLSearchParams => new URL(path, "http://host").searchParams

/** The rate in a number of hertz, or in a format such as `pcm_24000`. */
const rateIn = (value: unknown): number | undefined =>
  numberOf(value) ?? (Number(/(\d+)$/.exec(String(value ?? ""))?.[1]) || undefined)

const fieldsOf = (request: Seen): ReadonlyArray<string> => [
  ...Object.keys(bodyOf(request)),
  ...queryOf(request).keys()
]

const after = (scheme: string, text: string | undefined): string | undefined =>
  text?.startsWith(`${scheme} `) ? text.slice(scheme.length + 1) : undefined

const headerOf = ({ headers }: Seen, name: string): string | undefined => stringOf(headers[name])

const elevenLabsError = (status: string) => ({ detail: { status, message: "sk-secret in a message" } })

/** https://elevenlabs.io/docs/api-reference/text-to-speech/stream, and its help page of errors 400 and 401. */
const elevenlabs: VoiceShape = {
  path: /^\/text-to-speech\/[^/?]+\/stream\?/,
  required: ["text", "model_id", "output_format"],
  optional: ["language_code"],
  type: "audio/mpeg",
  read: (request) => ({
    key: headerOf(request, "xi-api-key"),
    voice: decodeURIComponent(/^\/text-to-speech\/([^/]+)\/stream/.exec(request.path)?.[1] ?? ""),
    text: stringOf(bodyOf(request)["text"]),
    rate: rateIn(queryOf(request).get("output_format")),
    pace: 1,
    fields: fieldsOf(request)
  }),
  refusals: {
    badKey: refusal(401, elevenLabsError("invalid_api_key")),
    noCredit: refusal(401, elevenLabsError("quota_exceeded")),
    unknownVoice: refusal(400, elevenLabsError("voice_not_found")),
    tooLong: refusal(400, elevenLabsError("max_character_limit_exceeded")),
    limited: refusal(429, elevenLabsError("too_many_concurrent_requests"), { "retry-after": "30" }),
    down: refusal(503, {})
  }
}

const cartesiaError = (error_code: string | null) => ({
  error_code,
  title: "No",
  message: "sk-secret",
  request_id: "1"
})

/** https://docs.cartesia.ai/api-reference/tts/bytes and https://docs.cartesia.ai/use-the-api/api-errors. */
const cartesia: VoiceShape = {
  path: /^\/tts\/bytes$/,
  required: ["model_id", "transcript", "voice", "language", "output_format"],
  optional: [],
  type: "audio/pcm",
  read: (request) => {
    const body = bodyOf(request)
    const hasVersion = headerOf(request, "cartesia-version") === "2026-03-01"
    return {
      key: hasVersion ? after("Bearer", headerOf(request, "authorization")) : undefined,
      voice: stringOf(objectOf(body["voice"])["id"]),
      text: stringOf(body["transcript"]),
      rate: rateIn(objectOf(body["output_format"])["sample_rate"]),
      pace: 1,
      fields: fieldsOf(request)
    }
  },
  refusals: {
    badKey: refusal(401, cartesiaError(null)),
    noCredit: refusal(402, cartesiaError(null)),
    unknownVoice: refusal(404, cartesiaError("voice_not_found")),
    tooLong: refusal(413, cartesiaError(null)),
    limited: refusal(429, cartesiaError("concurrency_limited"), { "retry-after": "30" }),
    down: refusal(500, cartesiaError(null))
  }
}

const sarvamError = (code: string) => ({ error: { message: "sk-secret", code } })

/** https://docs.sarvam.ai/api-reference-docs/text-to-speech/convert-stream and its page "Errors & Troubleshooting". */
const sarvam: VoiceShape = {
  path: /^\/text-to-speech\/stream$/,
  required: ["text", "model", "language_code", "speech_sample_rate", "output_audio_codec"],
  optional: ["speaker", "pace"],
  type: "audio/wav",
  read: (request) => {
    const body = bodyOf(request)
    return {
      key: headerOf(request, "api-subscription-key"),
      voice: stringOf(body["speaker"]),
      text: stringOf(body["text"]),
      rate: rateIn(body["speech_sample_rate"]),
      pace: numberOf(body["pace"]) ?? 1,
      fields: fieldsOf(request)
    }
  },
  refusals: {
    badKey: refusal(403, sarvamError("invalid_api_key_error")),
    noCredit: refusal(429, sarvamError("insufficient_quota_error"), { "retry-after": "1" }),
    unknownVoice: refusal(400, sarvamError("invalid_request_error")),
    tooLong: refusal(413, sarvamError("invalid_request_error")),
    limited: refusal(429, sarvamError("rate_limit_exceeded_error"), { "retry-after": "30" }),
    down: refusal(500, sarvamError("internal_server_error"))
  }
}

const deepgramError = (err_code: string) => ({ err_code, err_msg: "sk-secret", request_id: "1" })

/** https://developers.deepgram.com/reference/text-to-speech/speak-request and https://developers.deepgram.com/docs/errors. */
const deepgram: VoiceShape = {
  path: /^\/speak\?/,
  required: ["text", "model", "encoding", "sample_rate", "container"],
  optional: [],
  type: "audio/l16",
  read: (request) => ({
    key: after("Token", headerOf(request, "authorization")),
    voice: queryOf(request).get("model") ?? undefined,
    text: stringOf(bodyOf(request)["text"]),
    rate: rateIn(queryOf(request).get("sample_rate")),
    pace: 1,
    fields: fieldsOf(request)
  }),
  refusals: {
    badKey: refusal(401, deepgramError("INVALID_AUTH")),
    noCredit: refusal(402, deepgramError("ASR_PAYMENT_REQUIRED")),
    unknownVoice: refusal(404, deepgramError("NOT_FOUND")),
    tooLong: refusal(413, deepgramError("PAYLOAD_ERROR")),
    limited: refusal(429, deepgramError("TOO_MANY_REQUESTS"), { "retry-after": "30" }),
    down: refusal(500, {})
  }
}

const openAiError = (code: string | null, param: string | null = null) => ({
  error: { message: "sk-secret", type: "invalid_request_error", code, param }
})

/** https://developers.openai.com/api/docs/guides/text-to-speech and its page of error codes. */
const openai: VoiceShape = {
  path: /^\/audio\/speech$/,
  required: ["input", "model", "voice", "response_format"],
  optional: ["speed"],
  type: "audio/pcm",
  read: (request) => {
    const body = bodyOf(request)
    return {
      key: after("Bearer", headerOf(request, "authorization")),
      voice: stringOf(body["voice"]),
      text: stringOf(body["input"]),
      rate: body["response_format"] === "pcm" ? 24_000 : undefined,
      pace: numberOf(body["speed"]) ?? 1,
      fields: fieldsOf(request)
    }
  },
  refusals: {
    badKey: refusal(401, openAiError("invalid_api_key")),
    noCredit: refusal(429, openAiError("insufficient_quota")),
    unknownVoice: refusal(400, openAiError("invalid_value", "voice")),
    tooLong: refusal(400, openAiError("string_above_max_length")),
    limited: refusal(429, openAiError("rate_limit_exceeded"), { "retry-after": "30" }),
    down: refusal(503, openAiError(null))
  }
}

/** The shapes of all providers. Local servers speak OpenAI's, and ask for no key. */
export const voiceShapes: Readonly<Record<VoiceProviderName, VoiceShape>> = {
  elevenlabs,
  cartesia,
  sarvam,
  deepgram,
  openai,
  kokoro: openai,
  piper: openai
}
