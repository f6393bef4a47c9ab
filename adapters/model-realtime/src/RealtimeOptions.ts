import type { AddressRules } from "@trunkline/transcriber-websocket/sockets"
import type { Duration, Redacted } from "effect"

/** Generation of the protocol's names: today's, or those of its beta, which some servers speak. */
export type RealtimeProtocol = "ga" | "beta"

/** Way in which the server finds the end of a turn: by silence, or by what was said. */
export interface TurnDetection {
  readonly type: "server_vad" | "semantic_vad"
  /** Silence that ends a turn, in milliseconds; only of `server_vad`. Default: 500. */
  readonly silenceMillis?: number
}

/** Address of a server with OpenAI's Realtime protocol, its model, and limits. */
export interface RealtimeOptions extends AddressRules {
  /** A `wss:` URL, or `ws:` where allowed. Default: `wss://api.openai.com/v1/realtime`. */
  readonly url?: string
  /** Key of the server. Default: none. */
  readonly apiKey?: Redacted.Redacted
  /** Model that hears and speaks, sent as the query `model`. Default: `gpt-realtime-2.1`. */
  readonly model?: string
  /** Voice, such as `marin`. Default: the server's. */
  readonly voice?: string
  /** Model that writes down what callers say. Default: `gpt-4o-mini-transcribe`. */
  readonly transcription?: string
  /** Default: `server_vad`. */
  readonly turnDetection?: TurnDetection
  /** Law of the sound on lines of 8,000 hertz, which is sent as G.711: that of the line, so that no byte changes. Default: `mulaw`. */
  readonly law?: "mulaw" | "alaw"
  /** Default: `ga`. */
  readonly protocol?: RealtimeProtocol
  /** Headers of every connection. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names the server in messages. Default: `realtime model`. */
  readonly who?: string
  /** Name of the provider in prices and ledgers. Default: `openai` for its own servers, else the host of the URL. */
  readonly provider?: string
  /** Time to connect and begin a session. Default: 5 seconds. */
  readonly connectTimeout?: Duration.DurationInput
}

/** Settings of sessions: the options with their defaults. */
export interface RealtimeSettings {
  readonly model: string
  readonly voice: string | undefined
  readonly transcription: string
  readonly turnDetection: Required<TurnDetection>
  readonly law: "mulaw" | "alaw"
  readonly protocol: RealtimeProtocol
  readonly serverName: string
  readonly provider: string
}

/** Address of OpenAI's own servers. */
export const openAiUrl = "wss://api.openai.com/v1/realtime"

/** Model of sessions whose options name none. */
const defaultRealtimeModel = "gpt-realtime-2.1"

/** The settings of options. */
export const settingsOf = (options: RealtimeOptions, { host, hostname }: URL): RealtimeSettings => ({
  model: options.model ?? defaultRealtimeModel,
  voice: options.voice,
  transcription: options.transcription ?? "gpt-4o-mini-transcribe",
  turnDetection: { type: "server_vad", silenceMillis: 500, ...options.turnDetection },
  law: options.law ?? "mulaw",
  protocol: options.protocol ?? "ga",
  serverName: options.who ?? "realtime model",
  provider: options.provider ?? (hostname === "api.openai.com" ? "openai" : host)
})
