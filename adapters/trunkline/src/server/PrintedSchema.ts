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
  mcp_servers: "MCP servers whose tools agents use, which name them in mcp_servers.",
  tool_secrets_env: "Environment variables that hold the values of {{secrets.name}} in tools, by name.",
  workspace_agents: "Secrets and MCP servers that agents made over HTTP may use by their names. Default: none.",
  connections: "Phone lines that every workspace can use.",
  simulator: "People on the simulated phone network.",
  model: "Language model of conversations, chat and responses.",
  responses: "Reading of requests for responses.",
  speech: "Voices of agents.",
  transcriber: "Server that hears callers; null for none.",
  detector: "Detector of speech on lines with sound; null for energy alone.",
  turn_model: "Model that hears whether a pausing caller has finished; null for words and silence alone.",
  realtime: "Model that hears and speaks on lines with sound; null for the chain of transcriber, model and speech.",
  prices: "Prices of contracts with providers, in place of their public ones.",
  currency: "Currency in which costs are reported, by ISO 4217. Default: USD.",
  exchange_rates: "What one unit of other currencies is worth in that currency. Default: none.",
  mail: "Mail server of scheduled reports; null for none.",
  chat_hosts: "Hosts that chat webhooks of reports may use; null for any.",
  browser_calls: "Calls with agents from browsers: on or off, origins, limits, and the public address. Default: on.",
  call_limits: "Limits of concurrent calls, of dials of a number, and of failing lines.",
  opt_out_by_speech: "Adds a caller who refuses all further calls to the do-not-call list. Default: true.",
  keep_model_inputs: "Keeps what the model was sent during calls, beside their transcripts. Default: true.",
  check_calls: "Checks the rules of every call at its end, and warns of those that it broke. Default: true.",
  recording: "Recording of calls with sound: of all calls or none by default, the notice, and the keys. Default: none.",
  traces: "Traces of calls, to replay them: whether they are kept, and rules of what is left out. Default: none.",
  docs: "The page at /docs that shows the HTTP interface.",
  limits: "Rate limits of HTTP requests.",
  retention: "Days that data of a workspace is kept.",
  log: "Form of the lines that are logged: json, logfmt or pretty. Default: logfmt.",
  console: "The console under /console: on, off or read-only. Default: on.",
  console_links: "Links to pages of your own in the sidebar of the console: title and href.",
  console_pages: "Pages of your own inside the console: title and src.",
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
