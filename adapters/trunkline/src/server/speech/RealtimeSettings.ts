import { Schema } from "effect"
import { realtimeProblems } from "../../options/speech/RealtimeLayer.js"
import type { OpenAiRealtimeOptions, ProvidedRealtime } from "../../options/speech/RealtimeOption.js"
import { type Environment, WebSocketUrl } from "../ConfigFields.js"

const text = Schema.optionalWith(Schema.NonEmptyString, { exact: true })

const sharedFields = {
  /** Environment variable that holds the key; `OPENAI_API_KEY` unless said. */
  api_key_env: text,
  /** URL of another server. */
  url: Schema.optionalWith(WebSocketUrl, { exact: true }),
  /** `gpt-realtime-2.1`, or `gpt-live-1.1`, unless said. */
  model: text,
  voice: text,
  /** Law of G.711 on lines of 8 kHz. */
  law: Schema.optionalWith(Schema.Literal("mulaw", "alaw"), { exact: true })
}

/** OpenAI's realtime models, or another server with their protocol. */
const TurnedSettings = Schema.Struct({
  kind: Schema.Literal("openai"),
  ...sharedFields,
  /** Model that writes down what callers say. */
  transcription: text,
  turn_detection: Schema.optionalWith(Schema.Literal("server_vad", "semantic_vad"), { exact: true }),
  /** Silence that ends a turn, in milliseconds; only of `server_vad`. */
  silence_ms: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Names of the protocol's events. */
  protocol: Schema.optionalWith(Schema.Literal("ga", "beta"), { exact: true })
})

/** GPT-Live, or another server with its protocol. */
const LiveSettings = Schema.Struct({ kind: Schema.Literal("openai_live"), ...sharedFields })

/** A model that hears and speaks. */
export const RealtimeSettings = Schema.Union(TurnedSettings, LiveSettings)
export type RealtimeSettings = typeof RealtimeSettings.Type

/** Environment variable of a key that no setting names. */
const usualVariable = "OPENAI_API_KEY"

/** The model of settings, with the key from the environment. */
export const providedRealtimeOf = (settings: RealtimeSettings, env: Environment): ProvidedRealtime => {
  const apiKey = env[settings.api_key_env ?? usualVariable]
  if (settings.kind === "openai_live") {
    const { api_key_env: _, kind, ...others } = settings
    return { provider: kind, options: { ...others, apiKey } }
  }
  const { api_key_env: _, kind, silence_ms, turn_detection, ...others } = settings
  const options = {
    ...others,
    apiKey,
    ...(turn_detection !== undefined && { turnDetection: turn_detection }),
    ...(silence_ms !== undefined && { silenceMillis: silence_ms })
  }
  return { provider: kind, options }
}

/** Names of settings where they differ from those of options. */
const names: Partial<Readonly<Record<keyof OpenAiRealtimeOptions, string>>> = {
  silenceMillis: "silence_ms",
  turnDetection: "turn_detection"
}

/** Problems of a realtime model, one line each. */
export const realtimeLines = (settings: RealtimeSettings | null, env: Environment): ReadonlyArray<string> => {
  if (settings === null) return []
  const { api_key_env: namedText } = settings
  const missing = `realtime.api_key_env: The environment variable ${namedText ?? usualVariable} is not set`
  const isMissing = namedText !== undefined && !env[namedText]
  const problems = realtimeProblems(providedRealtimeOf(settings, env).options)
  return [
    ...(isMissing || problems.some(({ field }) => field === "apiKey") ? [missing] : []),
    ...problems.filter(({ field }) => field !== "apiKey").map(({ field, message }) =>
      `realtime.${names[field] ?? field}: ${message}`
    )
  ]
}
