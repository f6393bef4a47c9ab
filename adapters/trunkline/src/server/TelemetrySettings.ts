import { Schema } from "effect"
import { readPairs } from "../assembly/telemetry/OtelVariables.js"
import { missingExporter } from "../assembly/telemetry/TelemetryLayer.js"
import type { TelemetryOptions } from "../generated/Resources.js"
import { type Environment, HttpUrl } from "./ConfigFields.js"

const setting = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Export of traces in a configuration file, as `TelemetryOptions`; headers are in a variable, as `name=value,other=value`. */
export const Telemetry = Schema.Struct({
  endpoint: setting(HttpUrl),
  headers_env: setting(Schema.NonEmptyString),
  protocol: setting(Schema.Literal("http/json", "http/protobuf")),
  timeout_seconds: setting(Schema.Number.pipe(Schema.between(0.001, 600))),
  service_name: setting(Schema.NonEmptyString),
  resource: setting(Schema.Record({ key: Schema.String, value: Schema.String })),
  sampling: setting(Schema.Number.pipe(Schema.between(0, 1))),
  texts: setting(Schema.Boolean),
  voice_conventions: setting(Schema.Boolean)
})
type Telemetry = typeof Telemetry.Type

/** Problems of the settings, one line each, without values. */
export const telemetryProblems = (telemetry: Telemetry | null, environment: Environment): ReadonlyArray<string> => {
  if (telemetry === null) return []
  const missing = missingExporter()
  const { headers_env } = telemetry
  const headers = headers_env === undefined ? "" : environment[headers_env]
  return [
    ...(missing === undefined ? [] : [`telemetry: ${missing.replace(/^telemetry /u, "")}`]),
    ...(headers === undefined
      ? [`telemetry.headers_env: The environment variable ${headers_env} is not set`]
      : readPairs(headers) === undefined
      ? [`telemetry.headers_env: The variable ${headers_env} must be of the form name=value,other=value`]
      : [])
  ]
}

/** Options of the settings; undefined without any. */
export const telemetryOptionsOf = (
  telemetry: Telemetry | null,
  environment: Environment
): TelemetryOptions | undefined => {
  if (telemetry === null) return undefined
  const { headers_env, service_name, timeout_seconds, voice_conventions, ...rest } = telemetry
  const headers = headers_env === undefined ? undefined : readPairs(environment[headers_env] ?? "")
  return {
    ...rest,
    ...(headers !== undefined && { headers }),
    ...(service_name !== undefined && { serviceName: service_name }),
    ...(timeout_seconds !== undefined && { timeout: timeout_seconds * 1_000 }),
    ...(voice_conventions !== undefined && { voiceConventions: voice_conventions })
  }
}
