/** Options of a model that hears and speaks, behind OpenAI's Realtime protocol. */
export interface OpenAiRealtimeOptions {
  /** Required by OpenAI's own servers. */
  readonly apiKey?: string | undefined
  /** `wss:` or `ws:` URL of another server; `wss://api.openai.com/v1/realtime` by default. */
  readonly url?: string
  /** `gpt-realtime-2.1` by default. */
  readonly model?: string
  /** Voice, such as `marin`; the server's by default. */
  readonly voice?: string
  /** Model that writes down what callers say, for the transcript; `gpt-4o-mini-transcribe` by default. */
  readonly transcription?: string
  /** Way in which the server finds the end of a turn: by silence, the default, or by what was said. */
  readonly turnDetection?: "server_vad" | "semantic_vad"
  /** Silence that ends a turn, in milliseconds, 100 to 5,000; 500 by default. Only of `server_vad`. */
  readonly silenceMillis?: number
  /** Law of G.711 on lines of 8 kHz, which reaches the server byte by byte where it is that of the line; `mulaw` by default. */
  readonly law?: "mulaw" | "alaw"
  /** Names of the protocol's events: today's, `ga`, by default, or those of its beta for servers that still speak it. */
  readonly protocol?: "ga" | "beta"
}

/** Options of a model that talks by itself, behind OpenAI's Live protocol, that of GPT-Live. */
export interface OpenAiLiveOptions {
  /** Required by OpenAI's own servers. */
  readonly apiKey?: string | undefined
  /** `wss:` or `ws:` URL of another server; `wss://api.openai.com/v1/live/sessions` by default. */
  readonly url?: string
  /** `gpt-live-1.1` by default. */
  readonly model?: string
  /** Voice, such as `marin`; the server's by default. */
  readonly voice?: string
  /** Law of G.711 on lines of 8 kHz, which reaches the server byte by byte where it is that of the line; `mulaw` by default. */
  readonly law?: "mulaw" | "alaw"
}

/** A model that hears and speaks, by its provider: the result of `openaiRealtime` or `openaiLive`. */
export type ProvidedRealtime =
  | { readonly provider: "openai"; readonly options: OpenAiRealtimeOptions }
  | { readonly provider: "openai_live"; readonly options: OpenAiLiveOptions }

/**
 * OpenAI's realtime models, or another server with their protocol: one model hears the caller, thinks and speaks, on all lines with
 * sound. Tools, limits, costs and records are those of any call. The `transcriber`, `model` and `voices` of the options take over a
 * call in which it fails.
 */
export const openaiRealtime = (options: OpenAiRealtimeOptions = {}): ProvidedRealtime => ({
  provider: "openai",
  options
})

/**
 * GPT-Live, or another server with its protocol: a voice that hears and talks by itself on all lines with sound, and asks the agent
 * for facts, decisions and actions. The agent answers with the `model` of the options, its tools, limits and records. The
 * `transcriber` and `voices` of the options take over a call in which the voice fails.
 */
export const openaiLive = (options: OpenAiLiveOptions = {}): ProvidedRealtime => ({ provider: "openai_live", options })
