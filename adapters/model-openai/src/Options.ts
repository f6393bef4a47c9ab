import type { Duration, Redacted } from "effect"
import type { CapabilityOptions } from "./Capabilities.js"
import type { Timeouts } from "./Timeouts.js"

/** Default of `connections`. */
export const defaultConnections = 1_024

/** Address of a server, its models, credentials and limits. */
export interface Options {
  /** URL that `/chat/completions` is appended to, such as `http://127.0.0.1:8000/v1`; a query string is kept. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`. Default: no such header. */
  readonly apiKey?: Redacted.Redacted
  /** Sent with every request, such as `api-key`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of models at the upstream, by public id. Other models keep their id. Default: none. */
  readonly models?: Readonly<Record<string, string>>
  /** Rejects models that are not in `models` with `ModelUnavailable`. Default: false. */
  readonly strictModels?: boolean
  readonly capabilities?: CapabilityOptions
  readonly timeouts?: Partial<Timeouts>
  /**
   * Requests whole answers as streams as well, so that every timeout applies to them: without a stream, a silent
   * upstream cannot be told from one that writes a long answer. Live calls wait for whole answers. Default: false.
   */
  readonly watchWhole?: boolean
  /** Upper bound of connections, each of which carries one answer at a time; further requests wait. Default: 1,024. */
  readonly connections?: number
  /** Time that an idle connection is kept, unless the server says how long it keeps it. Default: 4 s. */
  readonly keepAlive?: Duration.DurationInput
}
