import { type Connection, decodeOptions, defaultSettle } from "@trunkline/telephony"
import { Duration, Either, Redacted, Schema } from "effect"

const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

const seconds = (from: number, to: number) => Schema.Number.pipe(Schema.between(from, to))

const isPlainHttpUrl = (text: string): boolean => {
  try {
    const { hash, password, protocol, search, username } = new URL(text)
    return /^https?:$/.test(protocol) && [hash, password, search, username].every((part) => part === "")
  } catch {
    return false
  }
}

const BaseUrl = Schema.String.pipe(
  Schema.filter(isPlainHttpUrl, {
    message: () => "Must be an http or https URL without user, password, query and fragment"
  })
)

const Dedupe = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("key"),
    /** Lifetime of an idempotency key at the provider. */
    ttl_seconds: seconds(1, 31_536_000),
    /** Time after which accepted calls can be found by attempt id, where supported; the fallback for expired keys. */
    settle_seconds: Schema.optionalWith(seconds(0, 3_600), { exact: true })
  }),
  Schema.Struct({
    kind: Schema.Literal("lookup"),
    /** Time after which every accepted call can be found by its attempt id. */
    settle_seconds: withDefault(seconds(0, 3_600), () => Duration.toSeconds(defaultSettle))
  }),
  Schema.Struct({ kind: Schema.Literal("none") })
)

const Timeouts = Schema.Struct({
  /** Timeout for connecting; nothing is dialled when it expires. */
  connect_seconds: withDefault(seconds(0.05, 9), () => 3),
  /** Timeout for creating a call, including retries; the engine gives up after 10 s. */
  create_seconds: withDefault(seconds(0.05, 9), () => 9),
  /** Timeout of any other request. */
  request_seconds: withDefault(seconds(0.05, 60), () => 5),
  /** Long-polling time of a conversation turn. */
  wait_seconds: withDefault(seconds(0.05, 300), () => 25)
})

/** `options` of a connection with the provider `http` (docs/carriers.md). */
export const ConnectionOptions = Schema.Struct({
  base_url: BaseUrl,
  /** Environment variable with the API key, which is sent as `Authorization: Bearer`. */
  api_key_env: Schema.NonEmptyString,
  /** Environment variable with the signing secret of pushed events; when absent, pushed events are rejected. */
  events_secret_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  dedupe: Dedupe,
  /** Polling interval of a ringing call. */
  poll_seconds: withDefault(seconds(0.05, 60), () => 2),
  timeouts: withDefault(Timeouts, () => Schema.decodeSync(Timeouts)({}))
})
export type ConnectionOptions = typeof ConnectionOptions.Type

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Decoded options with their secrets. */
export interface ConnectionSettings extends ConnectionOptions {
  readonly apiKey: Redacted.Redacted
  readonly eventsSecret: Redacted.Redacted | null
}

const decode = decodeOptions(ConnectionOptions)

/** Decodes the options of a connection; fails with one line per problem, without any values. */
export const connectionSettings = (
  connection: Pick<Connection, "options">,
  environment: Environment
): Either.Either<ConnectionSettings, ReadonlyArray<string>> =>
  decode(connection).pipe(
    Either.flatMap((read) => {
      const { api_key_env, events_secret_env } = read
      const apiKey = environment[api_key_env]
      const secret = events_secret_env === undefined ? undefined : environment[events_secret_env]
      const missing = [
        ...(apiKey ? [] : [`options.api_key_env: The environment variable ${api_key_env} is not set`]),
        ...(events_secret_env === undefined || secret
          ? []
          : [`options.events_secret_env: The environment variable ${events_secret_env} is not set`])
      ]
      return missing.length > 0 || apiKey === undefined ? Either.left(missing) : Either.right({
        ...read,
        apiKey: Redacted.make(apiKey),
        eventsSecret: secret === undefined ? null : Redacted.make(secret)
      })
    })
  )
