import { type Duration, Redacted } from "effect"
import type { GateOptions } from "./Gate.js"
import type { Timeouts } from "./Timeouts.js"

/** Where a server is, and how patiently it is asked. */
export interface UpstreamOptions {
  /** What paths come after, such as `http://127.0.0.1:8000/v1`; a query string is kept. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`; absent: none is. */
  readonly apiKey?: Redacted.Redacted
  /** Sent with every request, such as `api-key`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeouts?: Partial<Timeouts>
  /** How many requests are under way at once. Default: 8. */
  readonly concurrency?: GateOptions["concurrency"]
  /** How many more wait at most. Default: 64. */
  readonly waiting?: GateOptions["waiting"]
  /** How long each of them waits. Default: 10 s. */
  readonly patience?: GateOptions["patience"]
  /** How long a connection is kept that carries nothing, unless the server says how long it keeps it. Default: 4 s. */
  readonly keepAlive?: Duration.DurationInput
}

/** The address that paths come after. It throws where there is none, without repeating it: it may hold a key. */
export const addressOf = (baseUrl: string, who: string): URL => {
  try {
    const url = new URL(baseUrl)
    if (/^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url
  } catch {
    // Said below.
  }
  throw new Error(`The base URL of the ${who} should be an http:// or https:// URL without user and password`)
}

/** The headers of every request, apart from those of its body. */
export const headersOf = ({ apiKey, headers = {} }: UpstreamOptions): Readonly<Record<string, string>> => ({
  "user-agent": "trunkline",
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  ...(apiKey !== undefined && { authorization: `Bearer ${Redacted.value(apiKey)}` }),
  "accept-encoding": "identity"
})
