import type { ProviderFault } from "@trunkline/http-client"
import { isJsonObject, objectOf, parseJson, stringOf } from "@trunkline/kernel"
import { isoCode, LanguageCode } from "@trunkline/spoken-text"
import { Redacted } from "effect"
import type { ListenDialect, ServerReply } from "../ListenDialect.js"

/** Options of the dialect of ElevenLabs' Scribe. */
export interface ScribeOptions {
  /** Model name. Default: `scribe_v2_realtime`. */
  readonly model?: string
  /** Further query parameters, such as `keyterms` or `no_verbatim`; they replace those of the dialect. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** Reports after which the session is over, with what they stand for; null for those that another session may overcome. */
const failures: ReadonlyMap<unknown, ProviderFault | null> = new Map<unknown, ProviderFault | null>([
  ["auth_error", "unauthorized"],
  ["quota_exceeded", "paymentRequired"],
  ["unaccepted_terms", "forbidden"],
  ["rate_limited", "rateLimited"],
  ["invalid_request", "badRequest"],
  ["input_error", "wrongSound"],
  ["chunk_size_exceeded", "badRequest"],
  ["queue_overflow", "overloaded"],
  ["resource_exhausted", "overloaded"],
  ["session_time_limit_exceeded", null],
  ["insufficient_audio_activity", null],
  ["transcriber_error", null],
  ["error", null]
])

/** Messages that need no action: a final transcript is followed by the committed one, which is what counts. */
const notices: ReadonlySet<unknown> = new Set([
  "session_started",
  "final_transcript",
  "final_transcript_with_timestamps",
  "committed_transcript_with_timestamps",
  "committed_transcript_entities",
  "edited_transcript"
])

const words = (text: string, isCommitted: boolean): ServerReply => ({
  _tag: "Words",
  text,
  isFinal: isCommitted,
  until: null,
  isFlushed: isCommitted
})

const read = (text: string): ServerReply | null => {
  const message = parseJson(text)
  if (!isJsonObject(message)) return null
  const type = message["message_type"]
  const fault = failures.get(type)
  if (fault !== undefined) return fault === null ? { _tag: "Failed" } : { _tag: "Failed", fault }
  // A commit with too little sound before it has no transcript.
  if (type === "commit_throttled") return words("", true)
  if (notices.has(type)) return { _tag: "Notice" }
  const transcript = stringOf(message["text"])
  if (transcript === undefined) return null
  return type === "partial_transcript" || type === "committed_transcript"
    ? words(transcript, type === "committed_transcript")
    : null
}

const chunk = (audio: string, commit: boolean): string =>
  JSON.stringify({ message_type: "input_audio_chunk", audio_base_64: audio, commit })

/**
 * Dialect of ElevenLabs' Scribe v2 Realtime, for `wss://api.elevenlabs.io/v1/speech-to-text/realtime`, by
 * https://elevenlabs.io/docs/eleven-api/guides/how-to/speech-to-text/realtime/server-side-streaming, its event reference and its client
 * 2.73: we commit each turn (`commit_strategy=manual`), and one committed transcript answers. Scribe hears all twelve languages
 * by their ISO 639-1 codes. Sample rates are 8, 16, 22.05, 24, 44.1 and 48 kHz. No page says after which reports the socket is
 * closed, so that we close it ourselves.
 */
export const scribe = ({ model = "scribe_v2_realtime", parameters = {} }: ScribeOptions = {}): ListenDialect => ({
  name: "elevenlabs",
  packet: "100 millis",
  languages: LanguageCode.literals,
  sound: (packet) => chunk(Buffer.from(packet).toString("base64"), false),
  open: ({ apiKey, language, rate, url }) => {
    const address = new URL(url)
    const query = {
      model_id: model,
      audio_format: `pcm_${rate}`,
      commit_strategy: "manual",
      ...(language !== null && { language_code: isoCode(language) }),
      ...parameters
    }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    return {
      url: address,
      headers: apiKey === null ? {} : { "xi-api-key": Redacted.value(apiKey) },
      messages: []
    }
  },
  flush: () => chunk("", true),
  keepAlive: null,
  closing: null,
  answersEach: false,
  answersFlushes: true,
  read,
  mayReconnect: ({ code }) => code !== 1008,
  faultOf: ({ json }) => {
    const status = objectOf(objectOf(json)["detail"])["status"]
    return failures.get(status) ?? (status === "invalid_api_key" ? "unauthorized" : null)
  }
})
