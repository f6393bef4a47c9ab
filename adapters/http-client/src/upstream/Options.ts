import { Duration, Redacted } from "effect"
import type { GateOptions } from "./Gate.js"
import type { FaultReader } from "./ProviderFault.js"

/**
 * Timeouts of the phases of a response. They run in real time, since a server does not live in simulated time. An
 * infinite timeout never expires. While the reader is behind, only `total` runs.
 */
export interface Timeouts {
  /** Until the request is sent: name lookup, connection and TLS. Default: 5 s. */
  readonly connect: Duration.DurationInput
  /** From then until the first byte of the response body. Default: 10 s. */
  readonly firstByte: Duration.DurationInput
  /** Between two chunks of the body. Default: 10 s. */
  readonly betweenBytes: Duration.DurationInput
  /** For the whole attempt. Default: 5 min. */
  readonly total: Duration.DurationInput
}

/** Phases of a response that have a timeout. */
export type Phase = keyof Timeouts

/** Timeouts in milliseconds. */
export type Millis = Readonly<Record<Phase, number>>

const defaults: Timeouts = {
  connect: "5 seconds",
  firstByte: "10 seconds",
  betweenBytes: "10 seconds",
  total: "5 minutes"
}

/** Fills in the default timeouts. */
export const millisOf = (timeouts: Partial<Timeouts>): Millis => {
  const of = (phase: Phase) => Duration.toMillis(timeouts[phase] ?? defaults[phase])
  return { connect: of("connect"), firstByte: of("firstByte"), betweenBytes: of("betweenBytes"), total: of("total") }
}

/** Address of a server, credentials and limits. */
export interface UpstreamOptions {
  /** URL that paths are appended to, such as `http://127.0.0.1:8000/v1`; a query string is kept. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`. Default: no such header. */
  readonly apiKey?: Redacted.Redacted
  /** Sent with every request, such as `api-key`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeouts?: Partial<Timeouts>
  /** Reads why the provider refused a request from the body of its response. Default: the status alone tells. */
  readonly faultOf?: FaultReader | undefined
  /** Requests in flight at once. Default: 8. */
  readonly concurrency?: GateOptions["concurrency"]
  /** Requests that may wait for a slot. Default: 64. */
  readonly waiting?: GateOptions["waiting"]
  /** Time that a request waits for a slot. Default: 10 s. */
  readonly queueTimeout?: GateOptions["queueTimeout"]
  /** Time that an idle connection is kept, unless the server says how long it keeps it. Default: 4 s. */
  readonly keepAlive?: Duration.DurationInput
}

/** Parses the base URL. The error it throws does not repeat the URL, which may hold a key. */
export const addressOf = (baseUrl: string, serverName: string): URL => {
  try {
    const url = new URL(baseUrl)
    if (/^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url
  } catch {
    // Reported below.
  }
  throw new Error(`The base URL of the ${serverName} should be an http:// or https:// URL without user and password`)
}

/** Headers of every request, except those of its body. */
export const headersOf = ({ apiKey, headers = {} }: UpstreamOptions): Readonly<Record<string, string>> => ({
  "user-agent": "trunkline",
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  ...(apiKey !== undefined && { authorization: `Bearer ${Redacted.value(apiKey)}` }),
  "accept-encoding": "identity"
})
