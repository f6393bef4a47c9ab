import { Agent } from "@trunkline/agents"
import { Access, accessIssues, BrowserCallSettings, CallLimitSettings } from "@trunkline/engine"
import { issuesOf, unknownFields } from "@trunkline/errors"
import { McpServer } from "@trunkline/mcp"
import { redactDefaults, RedactRule } from "@trunkline/replay/trace"
import { Callee, SimulatorRule } from "@trunkline/telephony"
import { Either, Schema } from "effect"
import { carriesSound } from "../assembly/HostedProviders.js"
import { isInstalled } from "../assembly/OptionalPackages.js"
import { configToolProblems } from "../assembly/ToolSettings.js"
import { OfferedSecret, OfferedServer } from "../options/OptionSchemas.js"
import { CurrencyCode, ExchangeRates, OwnPrice, priceProblem } from "../options/speech/Prices.js"
import { type Environment, HttpUrl, optional } from "./ConfigFields.js"
import { withoutComments } from "./JsonComments.js"
import { isSimulated, lineProblems, PhoneLine } from "./PhoneLines.js"
import { fileSettings } from "./ServerSettings.js"
import { ModelSettings } from "./settings/ModelSettings.js"
import { recordingProblems, RecordingSettings } from "./settings/RecordingSettings.js"
import { RetentionRules } from "./settings/RetentionSettings.js"
import { Detector, detectorProblems } from "./speech/DetectorSettings.js"
import { realtimeLines, RealtimeSettings } from "./speech/RealtimeSettings.js"
import {
  agentLanguageProblems,
  isNamedTranscriber,
  Speech,
  speechProblems,
  Transcription
} from "./speech/SpeechSettings.js"
import { turnModelProblems, TurnModelSettings } from "./speech/TurnModelSettings.js"
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

/** Secrets and MCP servers that agents of workspaces may use. */
const WorkspaceAgents = Schema.Struct({
  secrets: optional(Schema.Array(OfferedSecret), () => []),
  mcp_servers: optional(Schema.Array(OfferedServer), () => [])
})

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
  /** MCP servers whose tools agents use, which name them in `mcp_servers`. */
  mcp_servers: optional(Schema.Array(McpServer), () => []),
  /** Environment variables that hold the values of `{{secrets.name}}` in tools, by name. */
  tool_secrets_env: optional(
    Schema.Record({ key: Schema.String, value: Schema.NonEmptyString }),
    (): Readonly<Record<string, string>> => ({})
  ),
  /** Secrets and MCP servers that agents of workspaces, which are made over HTTP, may use by their names. */
  workspace_agents: optional(WorkspaceAgents, () => Schema.decodeSync(WorkspaceAgents)({})),
  simulator: optional(Simulator, () => Schema.decodeSync(Simulator)({})),
  model: optional(ModelSettings, () => ({ kind: "scripted" as const })),
  responses: optional(
    /** Handling of `text` without `format`: rejected, or plain text for clients that always send `text: {}`. */
    Schema.Struct({ text_without_format: optional(Schema.Literal("refused", "plain"), () => "refused" as const) }),
    () => ({ text_without_format: "refused" as const })
  ),
  speech: optional(Speech, () => ({ kind: "embedded" as const })),
  /** The server that hears callers and transcribes clips; null turns transcription off. */
  transcriber: optional(Schema.NullOr(Transcription), () => null),
  /** Detector of speech on lines with sound; null for energy alone. */
  detector: optional(Schema.NullOr(Detector), () => null),
  /** Model that hears whether a pausing caller has finished; null for words and silence alone. */
  turn_model: optional(Schema.NullOr(TurnModelSettings), () => null),
  /** Model that hears and speaks on lines with sound; null for the chain of transcriber, model and speech. */
  realtime: optional(Schema.NullOr(RealtimeSettings), () => null),
  /** Prices of contracts with providers, in place of the public ones. */
  prices: optional(Schema.Array(OwnPrice.pipe(Schema.filter((price) => priceProblem(price)))), () => []),
  /** Currency in which costs are reported, by ISO 4217. */
  currency: optional(CurrencyCode, () => "USD"),
  /** Worth of one unit of other currencies in `currency`. A currency without a rate stays apart. */
  exchange_rates: optional(ExchangeRates, (): typeof ExchangeRates.Type => ({})),
  mail: optional(Schema.NullOr(Mail), () => null),
  /** Hosts that chat webhooks of reports may use; null allows any. */
  chat_hosts: optional(Schema.NullOr(Schema.Array(Schema.NonEmptyString)), () => null),
  /** Limits of calls: concurrent ones of a workspace, dials of a number, and the pause of a failing line. */
  call_limits: optional(CallLimitSettings, () => ({})),
  /** Adds a caller who refuses all further calls to the do-not-call list when the call ends. */
  opt_out_by_speech: optional(Schema.Boolean, () => true),
  /** Keeps what the model was sent for each answer of a call, beside the transcript. */
  keep_model_inputs: optional(Schema.Boolean, () => true),
  /** Checks the rules of every call at its end, and warns of those that it broke. */
  check_calls: optional(Schema.Boolean, () => true),
  /** Recording of calls with sound. */
  recording: optional(RecordingSettings, () => Schema.decodeSync(RecordingSettings)({})),
  /** Traces of calls, to replay them through changed agents. */
  traces: optional(
    Schema.Struct({
      keep: Schema.Boolean,
      redact: optional(Schema.Array(RedactRule), () => redactDefaults)
    }),
    () => ({ keep: false, redact: redactDefaults })
  ),
  /** Calls with agents from browsers; on by default, where there are a transcriber and a voice. */
  browser_calls: optional(BrowserCallSettings, () => ({})),
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
      const result = decode(json)
      const issues = [
        ...findUnknown(json, []),
        ...(Either.isLeft(result)
          ? issuesOf(result.left, "body").map(({ loc, msg }) => ({ loc: loc.slice(1), msg }))
          : [])
      ]
      return Either.isRight(result) && issues.length === 0
        ? Either.right(result.right)
        : Either.left(issues.map(({ loc, msg }) => `${loc.join(".") || "(whole file)"}: ${msg}`))
    })
  )

/** Reads a configuration file's text; on the left, one line for each problem. */
export const readConfig = async (
  text: string,
  env: Environment = {}
): Promise<Either.Either<ServerConfig, ReadonlyArray<string>>> => {
  const result = decodeText(text)
  if (Either.isLeft(result)) return result
  const config = result.right
  const problems = [
    ...references(config),
    ...await lineProblems(config.connections, env),
    ...missingVariables(config, env),
    ...missingPackages(config),
    ...await detectorProblems(config.detector),
    ...await turnModelProblems(config.turn_model),
    ...realtimeLines(config.realtime, env),
    ...speechProblems(config, env),
    ...recordingProblems(config.recording, env),
    ...configToolProblems(config, env),
    ...(config.connections.some(({ provider }) => carriesSound(provider))
      ? agentLanguageProblems(config.agents, config)
      : []),
    ...telemetryProblems(config.telemetry, env)
  ]
  return problems.length === 0 ? result : Either.left(problems)
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
  ...repeatsOf("agents", config.agents.map((agent) => agent.app_id)),
  ...repeatsOf("connections", config.connections.map((connection) => connection.connection_id)),
  ...repeatsOf(
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
    ["transcriber.api_key_env", isNamedTranscriber(transcriber) ? undefined : transcriber?.api_key_env] as const,
    ["mail.password_env", mail?.password_env] as const
  ].flatMap(([place, variable]) =>
    variable === undefined || env[variable] ? [] : [`${place}: The environment variable ${variable} is not set`]
  )

/** Features whose packages are not installed, since few need them. */
const missingPackages = ({ mail }: ServerConfig): ReadonlyArray<string> =>
  mail === null || isInstalled("nodemailer") ? [] : ["mail: needs a package: npm i nodemailer"]

const repeatsOf = (list: string, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.flatMap((id, index) => ids.indexOf(id) < index ? [`${list}.${index}: ${id} is given twice`] : [])
