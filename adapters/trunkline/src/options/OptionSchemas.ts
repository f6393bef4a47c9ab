import { Callee, SimulatorRule } from "@trunkline/telephony"
import { Schema } from "effect"
import { checked } from "./OptionShapes.js"

/** Mail server of scheduled reports. Needs the package `nodemailer`. */
export const MailOptions = Schema.Struct({
  /** Host name of the mail server. */
  host: Schema.String,
  /** 587 by default, or 465 for `implicit` TLS. */
  port: Schema.optional(Schema.Number),
  tls: Schema.optional(Schema.Literal("starttls", "implicit")),
  user: Schema.optional(Schema.String),
  password: Schema.optional(Schema.String),
  from: Schema.Struct({ address: Schema.String, name: Schema.optional(Schema.String) })
})

export { McpServer } from "@trunkline/mcp"

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

const Workspaces = Schema.optionalWith(
  Schema.Array(Schema.String.pipe(
    Schema.pattern(/^[^/]+\/[^/]+$/, { message: () => "Must be of the form org/workspace" })
  )),
  { exact: true }
)

/** A secret of the server's tools that agents of workspaces may use, and the services that may receive it. */
export const OfferedSecret = Schema.Struct({
  /** Name of the secret, as the values of secrets name it. */
  name: Schema.NonEmptyString,
  /** Origins of the services, such as `https://crm.example.com`: requests to any other host cannot carry the secret. */
  origins: Schema.NonEmptyArray(Schema.String.pipe(
    Schema.filter(isOrigin, { message: () => "Must be a scheme and a host, such as https://crm.example.com" })
  )),
  /** Workspaces that may use it, as `org/workspace`; absent: all. */
  workspaces: Workspaces
})

/** An MCP server whose tools agents of workspaces may use. */
export const OfferedServer = Schema.Struct({
  /** Name of the server, as the options of MCP servers name it. */
  name: Schema.NonEmptyString,
  /** Workspaces that may use it, as `org/workspace`; absent: all. */
  workspaces: Workspaces
})

/** Behaviour of people on the simulated phone network. */
export const SimulatorOptions = Schema.Struct({
  /** Callees by the end of their number; the first match wins. */
  rules: Schema.optional(Schema.Array(SimulatorRule)),
  /** Callee of every other number. */
  default: Schema.optional(Callee),
  /** Business seconds per real second, 1 by default. Only for engines whose lines are all simulated. */
  speed: Schema.optional(
    checked(Schema.Number, (speed) => Number.isFinite(speed) && speed > 0, "must be a number above 0")
  )
})

/** Reading of requests for responses. */
export const ResponsesOptions = Schema.Struct({
  /**
   * Meaning of `text` without `format`: an invalid body, or plain text for clients such as LangChain that send `text: {}`
   * with every request. `refused` by default.
   */
  textWithoutFormat: Schema.optional(
    checked(Schema.Literal("refused", "plain"), () => true, "must be refused or plain")
  )
})

const isCollector = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { password, protocol, username } = new URL(url)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

const texts = Schema.Record({ key: Schema.String, value: Schema.String })

/**
 * Export of traces over OTLP. Needs the package `@effect/opentelemetry`. One trace holds a whole call, turn by turn, with its
 * model calls, tools, voices and transcripts; another one, a request to the HTTP interface.
 */
export const TelemetryOptions = Schema.Struct({
  /** Base URL of the collector, to which `/v1/traces` is added; `http://127.0.0.1:4318` by default. */
  endpoint: Schema.optional(checked(
    Schema.String,
    isCollector,
    "must be an http or https URL without user and password, such as http://127.0.0.1:4318"
  )),
  /** Headers of the requests to the collector, such as keys; none by default. */
  headers: Schema.optional(texts),
  /** Encoding of the requests; `http/json` by default. */
  protocol: Schema.optional(
    checked(Schema.Literal("http/json", "http/protobuf"), () => true, "must be http/json or http/protobuf")
  ),
  /** Milliseconds that the collector has to answer a request; 10,000 by default. */
  timeout: Schema.optional(
    checked(Schema.Number, (millis) => millis > 0 && millis <= 600_000, "must be milliseconds from 1 to 600000")
  ),
  /** `service.name` of the resource; `trunkline` by default. */
  serviceName: Schema.optional(Schema.NonEmptyString),
  /** Further attributes of the resource, such as `deployment.environment.name`; none by default. */
  resource: Schema.optional(texts),
  /**
   * Share of the traces that are exported, from 0 to 1; 1 by default. Traces in which something failed are always exported, and
   * those that another service has begun, if that service exports them.
   */
  sampling: Schema.optional(
    checked(Schema.Number, (share) => share >= 0 && share <= 1, "must be a number from 0 to 1")
  ),
  /** Exports the texts of prompts, answers and tools, which are personal data; false by default. */
  texts: Schema.optional(Schema.Boolean),
  /**
   * Names the spans of voices and transcripts as the open proposal for OpenTelemetry does, which may change; false by default.
   */
  voiceConventions: Schema.optional(Schema.Boolean)
})
