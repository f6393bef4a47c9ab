import { Schema } from "effect"
import { matching } from "../options/OptionShapes.js"
import type { TelemetryOptions } from "./TelemetryOptions.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(schema)

const isCollector = (value: unknown): boolean => {
  if (typeof value !== "string" || !URL.canParse(value)) return false
  const { password, protocol, username } = new URL(value)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

const texts = Schema.Record({ key: Schema.String, value: Schema.String })

/** Shape of the option `telemetry`. */
export const telemetryShape = Schema.Struct(
  {
    endpoint: optional(
      matching(isCollector, "must be an http or https URL without user and password, such as http://127.0.0.1:4318")
    ),
    headers: optional(texts),
    protocol: optional(
      matching((value) => value === "http/json" || value === "http/protobuf", "must be http/json or http/protobuf")
    ),
    timeout: optional(
      matching((value) => typeof value === "number" && value > 0 && value <= 600_000, "must be milliseconds from 1 to 600000")
    ),
    serviceName: optional(Schema.NonEmptyString),
    resource: optional(texts),
    sampling: optional(
      matching((value) => typeof value === "number" && value >= 0 && value <= 1, "must be a number from 0 to 1")
    ),
    texts: optional(Schema.Boolean),
    voiceConventions: optional(Schema.Boolean)
  } satisfies Record<keyof TelemetryOptions, unknown>
)
