import { type Connection, decodeOptions } from "@trunkline/telephony"
import { Either, Redacted, Schema } from "effect"
import { isIP } from "node:net"

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

const withDefault = <A, I>(schema: Schema.Schema<A, I>, value: () => A) =>
  Schema.optionalWith(schema, { exact: true, default: value })

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const isPlainUrl = (text: string): boolean => {
  try {
    const { hash, password, protocol, search, username } = new URL(text)
    return /^https?:$/.test(protocol) && [hash, password, search, username].every((part) => part === "")
  } catch {
    return false
  }
}

const PlainUrl = Schema.String.pipe(
  Schema.filter(isPlainUrl, {
    message: () => "Must be an http or https URL without user, password, query and fragment"
  })
)

const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/")
  const version = isIP(address)
  const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version !== 0 && isLength && rest.length === 0
}

const Network = Schema.String.pipe(
  Schema.filter(isNetwork, { message: () => "Must be an IP address or a network, such as 203.0.113.0/24" })
)

const seconds = (from: number, to: number) => Schema.Number.pipe(Schema.between(from, to))

const Timeouts = Schema.Struct({
  /** Time to connect to the provider; nothing is dialled when it expires. */
  connect_seconds: withDefault(seconds(0.05, 9), () => 3),
  /** Time to create a call; the engine gives up after 10 s. */
  create_seconds: withDefault(seconds(0.05, 9), () => 9),
  /** Time of any other request. */
  request_seconds: withDefault(seconds(0.05, 60), () => 5),
  /** Time that the stream of an answered call has to open. */
  stream_seconds: withDefault(seconds(0.05, 60), () => 10)
})

/** Options that the lines of all providers share. */
export const commonOptions = {
  /** Address of this server as the provider reaches it, with the path prefix of the API: `https://voice.example.com/voice`. */
  public_url: PlainUrl,
  /** Address of the provider's API, for regions and tests; the usual one by default. */
  api_url: optional(PlainUrl),
  /**
   * True behind a proxy that sets `X-Forwarded-Host`, `-Proto`, `-Prefix` and `-For` itself: they then tell the address that
   * was asked for and the address of the peer. False by default, so that no client can.
   */
  trust_forwarded: withDefault(Schema.Boolean, () => false),
  /** Addresses and networks that requests of the provider come from; all by default. */
  allowed_addresses: optional(Schema.Array(Network)),
  /** First interval at which a call without news is asked for, doubled each time up to 30 s. */
  poll_seconds: withDefault(seconds(0.05, 30), () => 2),
  timeouts: withDefault(Timeouts, () => Schema.decodeSync(Timeouts)({}))
}

/** Interval of questions to a provider whose limit on requests counts them with its calls; 10 s by default. */
export const slowPollOption = { poll_seconds: withDefault(seconds(0.05, 30), () => 10) }

/** Option of providers that tell if a machine has answered. */
export const machineOption = {
  /**
   * `hang_up` ends calls that a machine answers, and `report` leaves them to the `answer_handling` of the call; `off` by default.
   */
  machine_detection: withDefault(Schema.Literal("off", "hang_up", "report"), () => "off" as const)
}

/** Country code of numbers without one, for providers that write numbers as they are dialled. */
export const countryOption = {
  country_code: withDefault(Schema.String.pipe(Schema.pattern(/^[1-9]\d{0,2}$/)), () => "91")
}

/**
 * Further fields, which go to a provider as they are. `reservedFields` has those that may not be among them: with the option that sets
 * them, or null for one that the line itself needs.
 */
export const furtherFields = <A, I>(
  fields: Schema.Record$<typeof Schema.String, Schema.Schema<A, I>>,
  reservedFields: Readonly<Record<string, string | null>>
) =>
  fields.pipe(
    Schema.filter((record) =>
      Object.keys(record).filter((name) => Object.hasOwn(reservedFields, name)).map((name) => {
        const option = reservedFields[name] ?? null
        return { path: [name], message: option === null ? "Is set by the line" : `Must be set with options.${option}` }
      })
    )
  )

const common = Schema.Struct(commonOptions)

/** Settings that every dialect has. */
export type CommonSettings = typeof common.Type

/** Reads the options of a line: decodes them, and takes its secrets from the environment. */
export interface SettingsReader<S> {
  (connection: Pick<Connection, "options">, environment: Environment): Either.Either<S, ReadonlyArray<string>>
}

/** Secrets of a line, which are in no log, since a function has none of them in its text. */
export interface WithSecrets<Names extends string> {
  readonly secret: (name: Names) => string
}

const none = Redacted.make("")

/**
 * Makes the reader of a dialect's options. `secrets` are the names of its secrets: the option is the name with `_env`. On
 * the left, one line for each mistake, without values.
 */
export const settingsReader = <A extends object, I, const Names extends string>(
  schema: Schema.Schema<A, I>,
  secrets: ReadonlyArray<Names>
): SettingsReader<A & WithSecrets<Names>> => {
  const decode = decodeOptions(schema)
  return (connection, environment) =>
    Either.flatMap(decode(connection), (options) => {
      const read = new Map<string, Redacted.Redacted>()
      const missing = secrets.flatMap((name) => {
        const variable: unknown = Reflect.get(options, `${name}_env`)
        const value = typeof variable === "string" ? environment[variable] : undefined
        if (value) read.set(name, Redacted.make(value))
        return value || variable === undefined
          ? []
          : [`options.${name}_env: The environment variable ${String(variable)} is not set`]
      })
      const secret = (name: Names) => Redacted.value(read.get(name) ?? none)
      return missing.length > 0 ? Either.left(missing) : Either.right({ ...options, secret })
    })
}
