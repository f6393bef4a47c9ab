import type { Duration, Redacted } from "effect"
import type { CapabilityOptions } from "./Capabilities.js"
import type { Timeouts } from "./Timeouts.js"

/** Default of `connections`. */
export const usualConnections = 1_024

/** Where models are, what they are called there, and how patiently they are asked. */
export interface Options {
  /** What `/chat/completions` comes after, such as `http://127.0.0.1:8000/v1`; a query string is kept. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`; absent: none is. */
  readonly apiKey?: Redacted.Redacted
  /** Sent with every request, such as `api-key`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** The upstream's ids of models, by public id. Others are asked for by the id that they are asked for. Default: none. */
  readonly models?: Readonly<Record<string, string>>
  /** Whether models that are not in `models` are refused, with `ModelUnavailable`. Default: false. */
  readonly strictModels?: boolean
  readonly capabilities?: CapabilityOptions
  readonly timeouts?: Partial<Timeouts>
  /**
   * Whether whole answers are asked for as streams as well, so that every timeout counts for them: nothing can be seen
   * of an answer that comes in one, and a silent upstream looks like one that writes much. Live calls wait for whole
   * answers. Default: false.
   */
  readonly watchWhole?: boolean
  /** Connections at most, each of which carries one answer at a time; who needs another one waits. Default: 1,024. */
  readonly connections?: number
  /** How long a connection is kept that carries nothing, unless the server says how long it keeps it. Default: 4 s. */
  readonly keepAlive?: Duration.DurationInput
}
