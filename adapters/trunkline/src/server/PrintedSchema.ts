import { JSONSchema } from "effect"
import { ServerConfig } from "./ServerConfig.js"

/** Description of each key of a configuration file, for editors. */
const descriptions: Readonly<Record<keyof typeof ServerConfig.fields, string>> = {
  $schema: "The schema of this file, for editors.",
  port: "Port to listen on; 0 for a free one. Default: 8787.",
  host: "Address to listen on; 0.0.0.0 for all of this machine. Default: 127.0.0.1.",
  data: "Folder of databases and files, or :memory: to keep nothing. Default: .trunkline.",
  files:
    "Place of uploaded files and recordings: a folder, s3://bucket/prefix, or postgres. Default: the data folder, or the database.",
  roles: "Parts of the work of a PostgreSQL database that this server does. Default: all.",
  lease_seconds: "Time after which the folder of a server that does not answer can be taken over. Default: 30.",
  drain_seconds: "Time that calls have to end once the server was told to stop. Default: 30.",
  pause_seconds: "Time between the report that the server stops and its last new call. Default: 0.",
  database_env: "Environment variable that holds the URL of a PostgreSQL database. Default: TRUNKLINE_DATABASE.",
  secret_env: "Environment variable that holds the secret of all servers of the database. Default: TRUNKLINE_SECRET.",
  redis_env: "Environment variable that holds the URL of a Redis server. Default: TRUNKLINE_REDIS.",
  metrics_port: "Port of /metrics; 0 for a free one. Default: none.",
  metrics_host: "Address of the port of /metrics. Default: 127.0.0.1.",
  metrics_token_env:
    "Environment variable that holds the token of /metrics, which opens it on the port of the API too. Default: TRUNKLINE_METRICS_TOKEN.",
  accounts: "Accounts, with their plan and their first micro-credits.",
  workspaces: "Workspaces of the accounts.",
  keys: "API keys for tests. Keys for production come from npx trunkline keys create.",
  agents: "Agents that every workspace can use.",
  connections: "Phone lines that every workspace can use.",
  simulator: "People on the simulated phone network.",
  model: "Language model of conversations, chat and responses.",
  responses: "Reading of requests for responses.",
  speech: "Voices of agents.",
  transcriber: "Server that hears callers; null for none.",
  mail: "Mail server of scheduled reports; null for none.",
  chat_hosts: "Hosts that chat webhooks of reports may use; null for any.",
  call_limits: "Limits of concurrent calls, of dials of a number, and of failing lines.",
  docs: "The page at /docs that shows the HTTP interface.",
  limits: "Rate limits of HTTP requests.",
  retention: "Days that data of a workspace is kept.",
  log: "Form of the lines that are logged: json, logfmt or pretty. Default: logfmt.",
  console: "The console under /console: on, off or read-only. Default: on.",
  log_level: "Lowest level of the lines that are logged: debug, info, warn, error or none. Default: info.",
  telemetry: "Export of traces over OTLP; null for none, unless the variables of OpenTelemetry name an endpoint.",
  allow_insecure_urls: "Allows http: URLs of webhooks and cohorts.",
  allow_private_urls: "Allows webhooks and cohorts at private addresses."
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** JSON Schema of configuration files, with which an editor completes them. */
export const printedSchema = (): unknown => {
  const schema: unknown = JSONSchema.make(ServerConfig)
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {}
  return {
    ...(isRecord(schema) && schema),
    title: "Configuration of trunkline serve",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { ...(isRecord(property) && property), description: Reflect.get(descriptions, name) }
      ])
    )
  }
}
