import { Either } from "effect"
import type { TelemetryOptions } from "../../generated/Resources.js"

/** The variables of the environment. */
type Environment = Readonly<Record<string, string | undefined>>

/** Options for traces in the standard variables of OpenTelemetry. */
export interface OtelVariables {
  /** True if traces are turned off, whatever the configuration says. */
  readonly isOff: boolean
  /** True if an endpoint is named, so that traces are exported also without a configuration. */
  readonly isOn: boolean
  /** Options of the variables that are set. */
  readonly options: TelemetryOptions
  /** Complete URL for traces. */
  readonly tracesUrl?: string
  /** False if traces of other services are sampled anew. */
  readonly followsParent: boolean
}

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Reads pairs such as `name=value,other=value`, whose values may be encoded as in URLs; undefined for anything else. */
export const readPairs = (text: string): Readonly<Record<string, string>> | undefined => {
  const pairs = text.split(",").map((pair) => pair.trim()).filter((pair) => pair !== "")
  try {
    const read = pairs.map((pair): [string, string] => {
      const at = pair.indexOf("=")
      return at < 1 ? ["", ""] : [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
    })
    return read.some(([name]) => name === "") ? undefined : Object.fromEntries(read)
  } catch {
    return undefined
  }
}

/** Samplers by their names: those that choose themselves, and those that follow the service that has begun a trace. */
const samplers: Readonly<Record<string, { readonly ratio: number | "argument"; readonly followsParent: boolean }>> = {
  always_on: { ratio: 1, followsParent: false },
  always_off: { ratio: 0, followsParent: false },
  traceidratio: { ratio: "argument", followsParent: false },
  parentbased_always_on: { ratio: 1, followsParent: true },
  parentbased_always_off: { ratio: 0, followsParent: true },
  parentbased_traceidratio: { ratio: "argument", followsParent: true }
}

const protocols = ["http/json", "http/protobuf"] as const

/** The first of these variables that is set, with its name. */
const first = (environment: Environment, ...names: ReadonlyArray<string>) => {
  const name = names.find((name) => environment[name])
  return { name: name ?? "", text: (name !== undefined && environment[name]) || undefined }
}

/** Reads the standard variables of OpenTelemetry; on the left, one line for each that cannot be used, without its value. */
export const readOtelVariables = (environment: Environment): Either.Either<OtelVariables, ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const variable = <A>(names: ReadonlyArray<string>, read: (text: string) => A | undefined, message: string) => {
    const { name, text } = first(environment, ...names)
    if (text === undefined) return undefined
    const value = read(text)
    if (value === undefined) problems.push(`${name} ${message}`)
    return value
  }
  const url = (text: string) => isHttpUrl(text) ? text : undefined
  const anUrl = "must be an http or https URL, such as http://127.0.0.1:4318"
  const pairs = "must be of the form name=value,other=value"
  const number = (from: number, to: number) => (text: string) =>
    text.trim() !== "" && Number(text) >= from && Number(text) <= to ? Number(text) : undefined

  const tracesUrl = variable(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"], url, anUrl)
  const endpoint = variable(["OTEL_EXPORTER_OTLP_ENDPOINT"], url, anUrl)
  const headers = variable(["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"], readPairs, pairs)
  const protocol = variable(
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"],
    (text) => protocols.find((protocol) => protocol === text),
    `must be one of ${protocols.join(", ")}`
  )
  const timeout = variable(
    ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"],
    number(1, 600_000),
    "must be a number of milliseconds from 1 to 600000"
  )
  const resource = variable(["OTEL_RESOURCE_ATTRIBUTES"], readPairs, pairs) ?? {}
  const sampler = variable(
    ["OTEL_TRACES_SAMPLER"],
    (text) => samplers[text],
    `must be one of ${Object.keys(samplers).join(", ")}`
  )
  const ratio = variable(["OTEL_TRACES_SAMPLER_ARG"], number(0, 1), "must be a number from 0 to 1")
  const exporter = variable(
    ["OTEL_TRACES_EXPORTER"],
    (text) => text === "otlp" || text === "none" ? text : undefined,
    "must be otlp or none"
  )
  const { "service.name": attributeName, ...attributes } = resource
  const serviceName = environment["OTEL_SERVICE_NAME"] || attributeName
  const sampling = sampler?.ratio === "argument" ? ratio ?? 1 : sampler?.ratio
  if (problems.length > 0) return Either.left(problems)
  return Either.right({
    isOff: environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || exporter === "none",
    isOn: tracesUrl !== undefined || endpoint !== undefined,
    followsParent: sampler?.followsParent ?? true,
    ...(tracesUrl !== undefined && { tracesUrl }),
    options: {
      ...(endpoint !== undefined && { endpoint }),
      ...(headers !== undefined && { headers }),
      ...(protocol !== undefined && { protocol }),
      ...(timeout !== undefined && { timeout }),
      ...(serviceName !== undefined && { serviceName }),
      ...(Object.keys(attributes).length > 0 && { resource: attributes }),
      ...(sampling !== undefined && { sampling })
    }
  })
}
