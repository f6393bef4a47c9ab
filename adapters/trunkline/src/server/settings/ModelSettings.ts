import { Schema } from "effect"
import { HttpUrl, optional } from "../ConfigFields.js"

/** Retries of a failed model call. Fields that are absent keep the library's defaults; `attempts: 1` means no retries. */
const Retries = Schema.Struct({
  attempts: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 10)), { exact: true }),
  first_pause_seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 60)), { exact: true }),
  /** Time from the first attempt to the start of the last. A `Retry-After` is honoured only where it fits into it. */
  budget_seconds: Schema.optionalWith(Schema.Number.pipe(Schema.between(0, 60)), { exact: true })
})

/** A chat-completions server: its address, the variable that holds its key, and its names of the models. */
const OpenAiCompatible = Schema.Struct({
  kind: Schema.Literal("openai-compatible"),
  /** Such as `http://127.0.0.1:11434/v1`. */
  base_url: HttpUrl,
  api_key_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  models: optional(Schema.Record({ key: Schema.String, value: Schema.NonEmptyString }), () => ({})),
  /** Sends the name that requests with the same beginning share. By default only to OpenAI, as other servers may reject it. */
  prompt_cache_key: Schema.optionalWith(Schema.Boolean, { exact: true }),
  retries: optional(Retries, (): typeof Retries.Type => ({})),
  /** Request fields that turn thinking off; null where none does. When absent, they are detected by asking the server. */
  no_thinking: Schema.optionalWith(Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })), {
    exact: true
  })
})

/** The language model of calls: a scripted one, which needs no server, or one over HTTP. */
export const ModelSettings = Schema.Union(Schema.Struct({ kind: Schema.Literal("scripted") }), OpenAiCompatible)
