import { Either } from "effect"
import { type OtelVariables, readOtelVariables } from "../assembly/telemetry/OtelVariables.js"
import { type EngineTelemetry, missingExporter, telemetryOf } from "../assembly/telemetry/TelemetryLayer.js"
import type { Environment } from "./ConfigFields.js"
import { StartError } from "./Explain.js"
import type { ServerConfig } from "./ServerConfig.js"
import { telemetryOptionsOf } from "./TelemetrySettings.js"

/** Reads the standard variables of OpenTelemetry. Throws `StartError` with a line for each problem. */
export const otelVariables = (environment: Environment): OtelVariables => {
  const read = readOtelVariables(environment)
  if (Either.isLeft(read)) throw new StartError(["The variables cannot be used:", ...read.left].join("\n  "))
  const missing = read.right.isOn && !read.right.isOff ? missingExporter() : undefined
  if (missing !== undefined) throw new StartError(`The variables of OpenTelemetry name an endpoint: ${missing}`)
  return read.right
}

/** The export of traces of a server, by its configuration file and the standard variables. Throws `StartError`. */
export const serverTelemetry = (
  { model, telemetry }: ServerConfig,
  environment: Environment
): Promise<EngineTelemetry> =>
  telemetryOf(telemetryOptionsOf(telemetry, environment), {
    provider: model.kind === "scripted" ? "trunkline" : "openai",
    variables: otelVariables(environment)
  })
