import { hasAllRoles, readRoles, type Role, roleNames } from "@trunkline/engine/roles"
import { issuesOf } from "@trunkline/errors"
import { Either, identity, Schema } from "effect"
import { resolve } from "node:path"
import { shortestSecret } from "../assembly/Secrets.js"
import { formatNames, levelNames, type LogFormatOption, type LogLevelOption } from "../options/LoggerOptions.js"
import { isRedisUrl } from "../options/OptionShapes.js"
import { type Environment, optional } from "./ConfigFields.js"
import { consoleFileSettings, consoleModes, type ConsoleSettings } from "./settings/ConsoleSettings.js"

const seconds = (from: number, to: number) =>
  Schema.Number.pipe(
    Schema.between(from, to, { message: () => `must be a number of seconds from ${from} to ${to}` })
  ).annotations({ message: () => ({ message: `must be a number of seconds from ${from} to ${to}`, override: true }) })

const portMessage = "must be a number from 0 to 65535"
const Port = Schema.Int.pipe(Schema.between(0, 65_535))
  .annotations({ message: () => ({ message: portMessage, override: true }) })

const Roles = Schema.Array(Schema.String).pipe(
  Schema.filter((names) => {
    const read = readRoles(names)
    return typeof read === "string" ? read : undefined
  })
)

const matching = (isValid: (text: string) => boolean, message: string) =>
  Schema.String.pipe(Schema.filter(isValid, { message: () => message }))

/** One of these texts. */
const oneOf = <A extends string>(names: readonly [A, ...ReadonlyArray<A>]) =>
  Schema.Literal(...names).annotations({
    message: () => ({ message: `must be one of ${names.join(", ")}`, override: true })
  })

/** Settings that a configuration file may have, in the names and units of such files. */
export const fileSettings = {
  /** Port to listen on; 0 for a free one. */
  port: optional(Port, () => 8787),
  /** Address to listen on. */
  host: optional(Schema.NonEmptyString, () => "127.0.0.1"),
  /** Folder of databases and files, or `:memory:` to keep nothing. */
  data: optional(Schema.NonEmptyString, () => ".trunkline"),
  /** Place of uploaded files and recordings; see the flag `--files`. */
  files: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Parts of the work of the database that this server does. */
  roles: optional(Roles, (): ReadonlyArray<string> => roleNames),
  /** Time after which the folder of a server that does not answer can be taken over. */
  lease_seconds: optional(seconds(1, 3_600), () => 30),
  /** Time that calls have to end once the server was told to stop. */
  drain_seconds: optional(seconds(0, 86_400), () => 30),
  /** Time between the report that the server stops and its last new call, in which load balancers turn to others. */
  pause_seconds: optional(seconds(0, 3_600), () => 0),
  /** Port of `/metrics`; 0 for a free one, none when absent. */
  metrics_port: Schema.optionalWith(Port, { exact: true }),
  metrics_host: optional(Schema.NonEmptyString, () => "127.0.0.1"),
  log: optional(oneOf(formatNames), () => "logfmt" as const),
  log_level: optional(oneOf(levelNames), () => "info" as const),
  console: optional(oneOf(consoleModes), () => "on" as const),
  ...consoleFileSettings,
  /** Environment variables that hold what no file should. */
  database_env: optional(Schema.NonEmptyString, () => "TRUNKLINE_DATABASE"),
  secret_env: optional(Schema.NonEmptyString, () => "TRUNKLINE_SECRET"),
  redis_env: optional(Schema.NonEmptyString, () => "TRUNKLINE_REDIS"),
  metrics_token_env: optional(Schema.NonEmptyString, () => "TRUNKLINE_METRICS_TOKEN")
}

const shortestToken = 16
const tokenMessage = `must have at least ${shortestToken} characters, without spaces`

const Settings = Schema.Struct({
  ...fileSettings,
  database: Schema.optionalWith(
    matching((url) => /^postgres(ql)?:\/\/./.test(url), "must be a URL that begins with postgres://"),
    { exact: true }
  ),
  secret: Schema.optionalWith(
    matching((text) => text.length >= shortestSecret, `must have at least ${shortestSecret} characters`),
    { exact: true }
  ),
  redis: Schema.optionalWith(
    matching(isRedisUrl, "must be a URL that begins with redis:// or rediss://"),
    { exact: true }
  ),
  metrics_token: Schema.optionalWith(
    matching((text) => /^[\x21-\x7e]+$/.test(text) && text.length >= shortestToken, tokenMessage),
    { exact: true }
  )
}).pipe(Schema.filter(({ data, database, metrics_port, port, redis, roles, secret }) => {
  const issue = (path: string, message: string) => ({ path: [path], message })
  const ports = metrics_port === port && port !== 0
    ? [issue("metrics_port", "must be another port than --port")]
    : []
  if (database !== undefined) {
    return data === ":memory:"
      ? [...ports, issue("data", "must be a folder with --database: warehouses and secrets are kept there")]
      : ports
  }
  return [
    ...ports,
    ...(secret === undefined ? [] : [issue("secret", "needs --database")]),
    ...(redis === undefined ? [] : [issue("redis", "needs --database")]),
    ...(hasAllRoles(roles) ? [] : [issue("roles", "other than all need --database, which other servers share")])
  ]
}))

/** Where `/metrics` is served. */
export interface MetricsSettings {
  /** Port of its own; null for none. */
  readonly port: number | null
  readonly host: string
  /** Opens `/metrics`, also on the port of the API. */
  readonly token: string | null
}

/** Settings of a server: flags first, then environment variables, then the configuration file, then defaults. */
export interface ServerSettings {
  readonly port: number
  readonly host: string
  /** A folder, or `:memory:`. */
  readonly data: string
  /** URL of a PostgreSQL database in place of the SQLite one of the folder; null for that one. */
  readonly database: string | null
  /** A folder, the URL of a bucket of S3, or `postgres`; null for the default. */
  readonly files: string | null
  /** Secret of all servers of the database; null for the keys of the folder. */
  readonly secret: string | null
  /** URL of a Redis server for request limits and hints; null for the database. */
  readonly redis: string | null
  /** Parts of the work of the database that this server does. */
  readonly roles: ReadonlyArray<Role>
  /** Time after which the folder of an unresponsive process can be taken over, in milliseconds. */
  readonly lease: number
  /** Time that calls have to end once the server was told to stop, in milliseconds. */
  readonly drain: number
  /** Time between the report that the server stops and its last new call, in milliseconds. */
  readonly pause: number
  readonly metrics: MetricsSettings
  readonly logFormat: LogFormatOption
  readonly logLevel: LogLevelOption
  readonly console: ConsoleSettings
}

const numberOf = (text: string): unknown => /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
const listOf = (text: string): unknown => text.split(",").map((name) => name.trim()).filter((name) => name !== "")

/** Names of a setting, and its value from a text. A secret one is never repeated. */
interface Source {
  readonly flag: string
  readonly variable: string
  readonly read: (text: string) => unknown
  readonly isSecret?: boolean
}

/** Sources of settings beside the file, by their name in it. */
const sources: Readonly<Record<string, Source>> = {
  port: { flag: "port", variable: "PORT", read: numberOf },
  host: { flag: "host", variable: "HOST", read: identity },
  data: { flag: "data", variable: "TRUNKLINE_DATA", read: identity },
  database: { flag: "database", variable: "TRUNKLINE_DATABASE", read: identity, isSecret: true },
  files: { flag: "files", variable: "TRUNKLINE_FILES", read: identity, isSecret: true },
  secret: { flag: "secret", variable: "TRUNKLINE_SECRET", read: identity, isSecret: true },
  redis: { flag: "redis", variable: "TRUNKLINE_REDIS", read: identity, isSecret: true },
  roles: { flag: "roles", variable: "TRUNKLINE_ROLES", read: listOf, isSecret: true },
  lease_seconds: { flag: "lease", variable: "TRUNKLINE_LEASE", read: numberOf },
  drain_seconds: { flag: "drain", variable: "TRUNKLINE_DRAIN", read: numberOf },
  pause_seconds: { flag: "pause", variable: "TRUNKLINE_PAUSE", read: numberOf },
  metrics_port: { flag: "metrics-port", variable: "TRUNKLINE_METRICS_PORT", read: numberOf },
  metrics_host: { flag: "metrics-host", variable: "TRUNKLINE_METRICS_HOST", read: identity },
  metrics_token: { flag: "metrics-token", variable: "TRUNKLINE_METRICS_TOKEN", read: identity, isSecret: true },
  log: { flag: "log", variable: "TRUNKLINE_LOG", read: identity },
  log_level: { flag: "log-level", variable: "TRUNKLINE_LOG_LEVEL", read: identity },
  console: { flag: "console", variable: "TRUNKLINE_CONSOLE", read: identity }
}

/** Flags of the settings. */
export const settingFlags: ReadonlyArray<string> = Object.values(sources).map(({ flag }) => flag)

/** Origins of settings. */
interface Origins {
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly environment: Environment
  /** Settings of a configuration file. */
  readonly file: Readonly<Record<string, unknown>>
  /** Base of relative paths. */
  readonly folder: string
}

/** Variable of a setting, whose name the file may choose. */
const variableOf = (name: string, source: Source, file: Origins["file"]): string => {
  const variableName = file[`${name}_env`]
  return typeof variableName === "string" && variableName !== "" ? variableName : source.variable
}

/** The text of a setting that a flag or a variable gives. */
const givenText = (name: string, { environment, file, flags }: Origins): string | undefined => {
  const source = sources[name]
  if (source === undefined) return undefined
  const flag = flags[source.flag]
  return typeof flag === "string" ? flag : environment[variableOf(name, source, file)] || undefined
}

/** A line about a setting. */
const problemOf = (name: string, message: string, origins: Origins): string => {
  const source = sources[name]
  const text = givenText(name, origins)
  if (source === undefined || (text === undefined && name in origins.file)) return `${name}: ${message}`
  const shownText = text === undefined || source.isSecret || /^(needs|must be a folder|must be another)/.test(message)
    ? ""
    : `, not ${text}`
  return `--${source.flag} (or ${variableOf(name, source, origins.file)}) ${message}${shownText}`
}

/** A place of files: a folder where it is nothing else. One letter is a drive of Windows. */
const placeOf = (place: string, path: (folder: string) => string): string =>
  place === "postgres" || /^[a-z][a-z0-9+.-]+:/i.test(place) ? place : path(place)

const decode = Schema.decodeUnknownEither(Settings, { errors: "all" })

/** Reads settings from all their sources; on the left, one line for each problem, without any secret. */
export const readSettings = (origins: Origins): Either.Either<ServerSettings, ReadonlyArray<string>> => {
  const fromFile = Object.fromEntries(
    Object.keys(fileSettings).flatMap((name) => name in origins.file ? [[name, origins.file[name]]] : [])
  )
  const entries = Object.entries(sources).flatMap(([name, { read }]) => {
    const text = givenText(name, origins)
    return text === undefined ? [] : [[name, read(text)] as const]
  })
  const path = (folder: string) => resolve(origins.folder, folder)
  return Either.mapBoth(decode({ ...fromFile, ...Object.fromEntries(entries) }), {
    onLeft: (error) => issuesOf(error, "body").map(({ loc, msg }) => problemOf(String(loc[1]), msg, origins)),
    onRight: ({ data, database, files, host, port, redis, roles, secret, ...rest }) => ({
      port,
      host,
      data: data === ":memory:" ? data : path(data),
      database: database ?? null,
      files: files === undefined ? null : placeOf(files, path),
      secret: secret ?? null,
      redis: redis ?? null,
      roles: roleNames.filter((role) => roles.includes(role)),
      lease: rest.lease_seconds * 1_000,
      drain: rest.drain_seconds * 1_000,
      pause: rest.pause_seconds * 1_000,
      metrics: { port: rest.metrics_port ?? null, host: rest.metrics_host, token: rest.metrics_token ?? null },
      logFormat: rest.log,
      logLevel: rest.log_level,
      console: { mode: rest.console, links: rest.console_links, pages: rest.console_pages }
    })
  })
}
