import { issuesOf } from "@trunkline/errors"
import { type Connection, DEFAULT_SETTLE } from "@trunkline/telephony"
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
    /** How long the provider remembers an idempotency key. */
    ttl_seconds: seconds(1, 31_536_000),
    /** Given where calls are also found by attempt id, for when a key is too old: after so long all are that were taken. */
    settle_seconds: Schema.optionalWith(seconds(0, 3_600), { exact: true })
  }),
  Schema.Struct({
    kind: Schema.Literal("lookup"),
    /** After so long every call that was taken is found by its attempt id. */
    settle_seconds: withDefault(seconds(0, 3_600), () => Duration.toSeconds(DEFAULT_SETTLE))
  }),
  Schema.Struct({ kind: Schema.Literal("none") })
)

const Timeouts = Schema.Struct({
  /** Until there is a connection: nothing is dialled when there is none. */
  connect_seconds: withDefault(seconds(0.05, 9), () => 3),
  /** Until the provider has taken a call, repetitions under the key included; the engine gives up after 10 s. */
  create_seconds: withDefault(seconds(0.05, 9), () => 9),
  /** Until any other question is answered. */
  request_seconds: withDefault(seconds(0.05, 60), () => 5),
  /** How long the provider may hold a turn of a conversation before it says that it goes on. */
  wait_seconds: withDefault(seconds(0.05, 300), () => 25)
})

/** The `options` of a connection whose provider is `http` (docs/carriers.md). */
export const LineOptions = Schema.Struct({
  base_url: BaseUrl,
  /** The environment variable of the key that is sent as `Authorization: Bearer`. */
  api_key_env: Schema.NonEmptyString,
  /** The environment variable of the secret that pushed events are signed with; without one there are none. */
  events_secret_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  dedupe: Dedupe,
  /** How often the provider is asked about a call that rings. */
  poll_seconds: withDefault(seconds(0.05, 60), () => 2),
  timeouts: withDefault(Timeouts, () => Schema.decodeSync(Timeouts)({}))
})
export type LineOptions = typeof LineOptions.Type

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What the options of a connection come to: they are read, and the secrets that they name are there. */
export interface LineSettings extends LineOptions {
  readonly apiKey: Redacted.Redacted
  readonly eventsSecret: Redacted.Redacted | null
}

const decode = Schema.decodeUnknownEither(LineOptions, { errors: "all", onExcessProperty: "error" })

/** Reads the options of a connection; on the left, one line for each problem, which tells no value. */
export const lineSettings = (
  { options }: Pick<Connection, "options">,
  environment: Environment
): Either.Either<LineSettings, ReadonlyArray<string>> =>
  Either.mapLeft(
    decode(options),
    (error) => issuesOf(error, "body").map(({ loc, msg }) => `${["options", ...loc.slice(1)].join(".")}: ${msg}`)
  ).pipe(
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
