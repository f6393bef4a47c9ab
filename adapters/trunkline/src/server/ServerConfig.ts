import { Agent } from "@trunkline/agents"
import { Access, accessIssues, CallLimitSettings } from "@trunkline/engine"
import { issuesOf, unknownFields } from "@trunkline/errors"
import { Callee, SimulatorRule } from "@trunkline/telephony"
import { Either, Schema } from "effect"
import { isInstalled } from "../assembly/OptionalPackages.js"
import { type Environment, HttpUrl, optional } from "./ConfigFields.js"
import { withoutComments } from "./JsonComments.js"
import { isSimulated, lineProblems, PhoneLine } from "./PhoneLines.js"
import { RetentionRules } from "./RetentionSettings.js"
import { fileSettings } from "./ServerSettings.js"
import { Speech, transcriberProblems, Transcription } from "./SpeechSettings.js"
import { Telemetry, telemetryProblems } from "./TelemetrySettings.js"

const Simulator = Schema.Struct({
  /** Business seconds per real second: see {@link speedOf}. */
  speed: Schema.optionalWith(
    Schema.Number.pipe(Schema.greaterThanOrEqualTo(1), Schema.lessThanOrEqualTo(100_000)),
    { exact: true }
  ),
  rules: optional(Schema.Array(SimulatorRule), () => []),
  default: optional(Callee, () => "answer" as const)
})

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
  retries: optional(Retries, (): typeof Retries.Type => ({})),
  /** Request fields that turn thinking off; null where none does. When absent, they are detected by asking the server. */
  no_thinking: Schema.optionalWith(Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })), {
    exact: true
  })
})

const Model = Schema.Union(Schema.Struct({ kind: Schema.Literal("scripted") }), OpenAiCompatible)

/** A mail server for scheduled reports: its address, the variable that holds its password, and the sender. */
const Mail = Schema.Struct({
  kind: Schema.Literal("smtp"),
  host: Schema.NonEmptyString,
  /** Without one 587, or 465 for `implicit` TLS. */
  port: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 65_535)), { exact: true }),
  tls: Schema.optionalWith(Schema.Literal("starttls", "implicit"), { exact: true }),
  user: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  password_env: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  from: Schema.Struct({
    address: Schema.NonEmptyString,
    name: Schema.optionalWith(Schema.NonEmptyString, { exact: true })
  }),
  /** Takes any certificate, and plain text where the server offers no TLS: for servers on the same machine. */
  allow_insecure: optional(Schema.Boolean, () => false),
  /** Address of this server for recipients of mails, which link to their boards; by default the one it listens on. */
  public_url: Schema.optionalWith(HttpUrl.pipe(Schema.pattern(/[^/]$/)), { exact: true })
})

/**
 * Schema of a configuration file: accounts, keys, agents, phone lines, the providers that the server uses, and settings of the
 * server itself.
 */
export const ServerConfig = Schema.Struct({
  /** Schema for editors. */
  $schema: Schema.optionalWith(Schema.String, { exact: true }),
  ...fileSettings,
  accounts: optional(Access.fields.accounts, () => []),
  workspaces: optional(Access.fields.workspaces, () => []),
  keys: optional(Access.fields.keys, () => []),
  agents: optional(Schema.Array(Agent), () => []),
  connections: optional(Schema.Array(PhoneLine), () => []),
  simulator: optional(Simulator, () => Schema.decodeSync(Simulator)({})),
  model: optional(Model, () => ({ kind: "scripted" as const })),
  responses: optional(
    /** Handling of `text` without `format`: rejected, or plain text for clients that always send `text: {}`. */
    Schema.Struct({ text_without_format: optional(Schema.Literal("refused", "plain"), () => "refused" as const) }),
    () => ({ text_without_format: "refused" as const })
  ),
  speech: optional(Speech, () => ({ kind: "embedded" as const })),
  /** The server that hears callers and transcribes clips; null turns transcription off. */
  transcriber: optional(Schema.NullOr(Transcription), () => null),
  mail: optional(Schema.NullOr(Mail), () => null),
  /** Hosts that chat webhooks of reports may use; null allows any. */
  chat_hosts: optional(Schema.NullOr(Schema.Array(Schema.NonEmptyString)), () => null),
  /** Limits of calls: concurrent ones of a workspace, dials of a number, and the pause of a failing line. */
  call_limits: optional(CallLimitSettings, () => ({})),
  /** The page at `/docs` that shows the HTTP interface. */
  docs: optional(Schema.Struct({ enabled: Schema.Boolean }), () => ({ enabled: true })),
  limits: optional(Schema.Struct({ enabled: Schema.Boolean }), () => ({ enabled: true })),
  /** Days that workspaces keep data. */
  retention: optional(RetentionRules, () => []),
  /** Export of traces; null for none. */
  telemetry: optional(Schema.NullOr(Telemetry), () => null),
  allow_insecure_urls: optional(Schema.Boolean, () => false),
  allow_private_urls: optional(Schema.Boolean, () => false)
})
export type ServerConfig = typeof ServerConfig.Type

/** Speed of business time: as configured, else 60 with simulated lines only, and 1 as soon as a line is real. */
export const speedOf = (config: ServerConfig): number =>
  config.simulator.speed ?? (config.connections.every(isSimulated) ? 60 : 1)

const decode = Schema.decodeUnknownEither(ServerConfig, { errors: "all" })
const findUnknown = unknownFields(ServerConfig)

/** Decodes a configuration file's text; on the left, one line for each problem. */
const decodeText = (text: string): Either.Either<ServerConfig, ReadonlyArray<string>> =>
  Either.try({ try: (): unknown => JSON.parse(withoutComments(text)), catch: (error) => [notJson(text, error)] }).pipe(
    Either.flatMap((json) => {
      const decoded = decode(json)
      const issues = [
        ...findUnknown(json, []),
        ...(Either.isLeft(decoded)
          ? issuesOf(decoded.left, "body").map(({ loc, msg }) => ({ loc: loc.slice(1), msg }))
          : [])
      ]
      return Either.isRight(decoded) && issues.length === 0
        ? Either.right(decoded.right)
        : Either.left(issues.map(({ loc, msg }) => `${loc.join(".") || "(whole file)"}: ${msg}`))
    })
  )

/** Reads a configuration file's text; on the left, one line for each problem. */
export const readConfig = async (
  text: string,
  env: Environment = {}
): Promise<Either.Either<ServerConfig, ReadonlyArray<string>>> => {
  const decoded = decodeText(text)
  if (Either.isLeft(decoded)) return decoded
  const config = decoded.right
  const problems = [
    ...references(config),
    ...await lineProblems(config.connections, env),
    ...missingVariables(config, env),
    ...missingPackages(config),
    ...transcriberProblems(config.transcriber),
    ...telemetryProblems(config.telemetry, env)
  ]
  return problems.length === 0 ? decoded : Either.left(problems)
}

/** Line of the first JSON error. The runtime's own message is not passed on, because it can quote a key. */
const notJson = (text: string, error: unknown): string => {
  const [, position] = /position (\d+)/.exec(String(error)) ?? []
  if (position === undefined) return "The file is not JSON"
  return `The file is not JSON: there is a mistake in line ${text.slice(0, Number(position)).split("\n").length}`
}

/** References to names that do not exist, and names that are given twice. */
const references = (config: ServerConfig): ReadonlyArray<string> => [
  ...accessIssues(config).map(({ loc, msg }) => `${loc.join(".")}: ${msg}`),
  ...repeated("agents", config.agents.map((agent) => agent.app_id)),
  ...repeated("connections", config.connections.map((connection) => connection.connection_id)),
  ...repeated(
    "phone numbers of connections",
    config.connections.flatMap(({ phone_numbers }) => phone_numbers)
  )
]

const missingVariables = (
  { mail, model, speech, transcriber }: ServerConfig,
  env: Environment
): ReadonlyArray<string> =>
  [
    ["model.api_key_env", model.kind === "openai-compatible" ? model.api_key_env : undefined] as const,
    ["speech.api_key_env", speech.kind === "openai-compatible" ? speech.api_key_env : undefined] as const,
    ["transcriber.api_key_env", transcriber?.api_key_env] as const,
    ["mail.password_env", mail?.password_env] as const
  ].flatMap(([place, variable]) =>
    variable === undefined || env[variable] ? [] : [`${place}: The environment variable ${variable} is not set`]
  )

/** Features whose packages are not installed, since few need them. */
const missingPackages = ({ mail }: ServerConfig): ReadonlyArray<string> =>
  mail === null || isInstalled("nodemailer") ? [] : ["mail: needs a package: npm i nodemailer"]

const repeated = (list: string, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.flatMap((id, index) => ids.indexOf(id) < index ? [`${list}.${index}: ${id} is given twice`] : [])
