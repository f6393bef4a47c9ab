import type { AddressRules } from "@trunkline/transcriber-websocket/sockets"
import type { Duration, Redacted } from "effect"

/** Address of a server with OpenAI's Live protocol, its model, and limits. */
export interface LiveOptions extends AddressRules {
  /** A `wss:` URL, or `ws:` where allowed. Default: `wss://api.openai.com/v1/live/sessions`. */
  readonly url?: string
  /** Key of the server. Default: none. */
  readonly apiKey?: Redacted.Redacted
  /** Model that hears and talks. Default: `gpt-live-1.1`. */
  readonly model?: string
  /** Voice, such as `marin`. Default: the server's. */
  readonly voice?: string
  /** Law of the sound on lines of 8,000 hertz, which is sent as G.711: that of the line, so that no byte changes. Default: `mulaw`. */
  readonly law?: "mulaw" | "alaw"
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
export interface LiveSettings {
  readonly model: string
  readonly voice: string | undefined
  readonly law: "mulaw" | "alaw"
  readonly serverName: string
  readonly provider: string
}

/** Address of OpenAI's own servers. */
export const openAiLiveUrl = "wss://api.openai.com/v1/live/sessions"

/** The settings of options. */
export const liveSettingsOf = (options: LiveOptions, { host, hostname }: URL): LiveSettings => ({
  model: options.model ?? "gpt-live-1.1",
  voice: options.voice,
  law: options.law ?? "mulaw",
  serverName: options.who ?? "realtime model",
  provider: options.provider ?? (hostname === "api.openai.com" ? "openai" : host)
})
