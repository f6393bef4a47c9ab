/**
 * Export of traces over OTLP. Needs the package `@effect/opentelemetry`. One trace holds a whole call, turn by turn, with its
 * model calls, tools, voices and transcripts; another one, a request to the HTTP interface.
 */
export interface TelemetryOptions {
  /** Base URL of the collector, to which `/v1/traces` is added; `http://127.0.0.1:4318` by default. */
  readonly endpoint?: string
  /** Headers of the requests to the collector, such as keys; none by default. */
  readonly headers?: Readonly<Record<string, string>>
  /** Encoding of the requests; `http/json` by default. */
  readonly protocol?: "http/json" | "http/protobuf"
  /** Milliseconds that the collector has to answer a request; 10,000 by default. */
  readonly timeout?: number
  /** `service.name` of the resource; `trunkline` by default. */
  readonly serviceName?: string
  /** Further attributes of the resource, such as `deployment.environment.name`; none by default. */
  readonly resource?: Readonly<Record<string, string>>
  /**
   * Share of the traces that are exported, from 0 to 1; 1 by default. Traces in which something failed are always exported, and
   * those that another service has begun, if that service exports them.
   */
  readonly sampling?: number
  /** Exports the texts of prompts, answers and tools, which are personal data; false by default. */
  readonly texts?: boolean
  /**
   * Names the spans of voices and transcripts as the open proposal for OpenTelemetry does, which may change; false by default.
   */
  readonly voiceConventions?: boolean
}
