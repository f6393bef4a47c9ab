import { Layer } from "effect"
import type { TelemetryOptions } from "../../generated/Resources.js"
import type { TracedParts } from "../Assemble.js"
import { isInstalled } from "../OptionalPackages.js"
import type { OtelVariables } from "./OtelVariables.js"

/** Package of the exporter, which only those need who export traces. */
const exporterPackage = "@effect/opentelemetry"

/** Advice where the package is missing; undefined where it is installed. */
export const missingExporter = (): string | undefined =>
  isInstalled(exporterPackage) ? undefined : `telemetry needs a package: npm i ${exporterPackage}@0.64.1`

/** The export of traces: the layer below an engine, and its parts with spans. */
export interface EngineTelemetry {
  readonly layer: Layer.Layer<never, Error>
  readonly traced?: TracedParts
}

/** No export: spans are left to a tracer of the host, if it has one. */
const off: EngineTelemetry = { layer: Layer.empty }

/** Options of the engine, with those of the variables in their places; undefined where no traces are exported. */
const optionsOf = (options: TelemetryOptions | undefined, variables: OtelVariables | undefined) => {
  if (variables === undefined) return options
  if (variables.isOff || (options === undefined && !variables.isOn)) return undefined
  const resource = { ...options?.resource, ...variables.options.resource }
  return { ...options, ...variables.options, resource }
}

/**
 * The export of traces by options of the host, and by the standard variables where a server reads them. Nothing of it is loaded
 * where no traces are exported.
 */
export const telemetryOf = async (
  telemetry: TelemetryOptions | undefined,
  { provider, variables }: {
    /** Name of the model's provider in the conventions. */
    readonly provider: string
    readonly variables?: OtelVariables
  }
): Promise<EngineTelemetry> => {
  const options = optionsOf(telemetry, variables)
  if (options === undefined) return off
  const {
    endpoint = "http://127.0.0.1:4318",
    headers = {},
    protocol = "http/json",
    resource = {},
    sampling: ratio = 1,
    serviceName = "trunkline",
    texts = false,
    timeout = 10_000,
    voiceConventions = false
  } = options
  const { Telemetry, listenerLayer, modelLayer, synthesizerLayer, transcriberLayer } = await import(
    "@trunkline/opentelemetry"
  )
  const names = { voiceConventions }
  return {
    layer: Telemetry.layer({
      headers,
      protocol,
      resource,
      serviceName,
      texts,
      timeout,
      url: variables?.tracesUrl ?? `${endpoint.replace(/\/+$/, "")}/v1/traces`,
      sampling: { ratio, followsParent: variables?.followsParent ?? true }
    }),
    traced: {
      model: (model) => modelLayer(model, provider),
      synthesizer: (voice) => synthesizerLayer(voice, names),
      transcriber: (transcriber) => transcriberLayer(transcriber, names),
      listener: (listener) => listenerLayer(listener, names)
    }
  }
}
