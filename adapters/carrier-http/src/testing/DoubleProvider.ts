import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import {
  defaultCallee,
  dial,
  type DialOptions,
  type DoubleCall,
  type DoubleCallee,
  type DoubleRule
} from "./DoubleCall.js"
import { type Fault, type FaultRates, randomFault, randomFrom, type Route } from "./Faults.js"
import { type Journal, makeJournal } from "./Journal.js"
import { makePushSender, type PushOptions } from "./PushSender.js"
import { applyFault, type HttpResponse, refusal, send } from "./Responses.js"

/** Options of the test provider. The defaults make it fast and fault-free. */
export interface DoubleOptions {
  /** Default: any free port. */
  readonly port?: number
  /** Default: `double-key`. */
  readonly apiKey?: string
  /** Dedupe support. `key`: returns the same call for a known key. `lookup`: finds calls by attempt id. Default: both. */
  readonly keeps?: ReadonlyArray<"key" | "lookup">
  /** Lifetime of keys in milliseconds; default: unlimited. */
  readonly keyMillis?: number
  /** Delay until a call can be found by its attempt id, in milliseconds; default 0. */
  readonly settleMillis?: number
  readonly rules?: ReadonlyArray<DoubleRule>
  readonly default?: DoubleCallee
  /** Real milliseconds per protocol second; default 5. */
  readonly secondMillis?: number
  /** Idle time after which a callee hangs up, in milliseconds; default 30,000. */
  readonly idleTimeoutMillis?: number
  readonly pushes?: PushOptions
  readonly faults?: FaultRates
  readonly seed?: number
  /** File to which the journal is also written. */
  readonly journalFile?: string
}

/** A received request. */
export interface DoubleRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A person who calls. */
export interface InboundPerson {
  readonly from: string
  readonly to: string
  /** Lines that the person says, one for each `listen` turn; by default those of `defaultCallee`. */
  readonly says?: ReadonlyArray<string>
  /** Number of own turns after which the person hangs up. */
  readonly hangsUpAfter?: number
  readonly ringSeconds?: number
}

/** A local test provider that records every dial. */
export interface DoubleProvider {
  /** `base_url` for its connections. */
  readonly url: string
  readonly apiKey: string
  readonly journal: Journal
  readonly requests: ReadonlyArray<DoubleRequest>
  readonly calls: () => ReadonlyArray<DoubleCall>
  /** A person calls one of the numbers, and gives up after `ringSeconds` of the protocol, 40 by default. */
  readonly callIn: (person: InboundPerson) => DoubleCall
  /** Maximum number of concurrent calls so far. */
  readonly busiest: () => number
  /** Number of delivered events. */
  readonly countEvents: () => number
  /** Injects a fault into the next request of a route. */
  readonly injectFault: (route: Route, fault: Fault) => void
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString("utf8")
}

/** First request body and call of a key. */
interface KeyRecord {
  readonly at: number
  readonly body: string
  readonly call: DoubleCall
}

/** Starts a local test provider. */
export const startDouble = async (options: DoubleOptions = {}): Promise<DoubleProvider> => {
  const { apiKey = "double-key", faults = {}, keeps = ["key", "lookup"], keyMillis = Infinity } = options
  const { idleTimeoutMillis = 30_000, rules = [], secondMillis = 5, seed = 1, settleMillis = 0 } = options
  const journal = makeJournal(options.journalFile ?? null)
  const random = randomFrom(seed)
  const pushes = options.pushes === undefined ? undefined : makePushSender(options.pushes, random)
  const calls = new Map<string, DoubleCall>()
  const live = new Set<DoubleCall>()
  const keys = new Map<string, KeyRecord>()
  const requests: Array<DoubleRequest> = []
  const injectedFaults: Array<{ readonly route: Route; readonly fault: Fault }> = []
  let busiest = 0

  const onChange = (call: DoubleCall) => {
    if (call.isOver()) live.delete(call)
    pushes?.push(call.json())
  }

  const ring = (how: Pick<DialOptions, "attempt_id" | "from" | "to" | "callee" | "ringSeconds">): DoubleCall => {
    const call_id = `call-${calls.size + 1}`
    const call = dial({ ...how, call_id, secondMillis, idleTimeoutMillis, journal, onChange })
    calls.set(call_id, call)
    live.add(call)
    busiest = Math.max(busiest, live.size)
    pushes?.push(call.json())
    return call
  }

  const create = ({ body, headers }: DoubleRequest): HttpResponse => {
    const key = String(headers["idempotency-key"] ?? "")
    const { attempt_id, to }: { readonly attempt_id: string; readonly to: string } = JSON.parse(body)
    journal.add({ what: "create", attempt_id, to })
    const existing = keeps.includes("key") ? keys.get(key) : undefined
    if (existing !== undefined && Date.now() - existing.at < keyMillis) {
      const same = existing.body === body
      journal.add({ what: same ? "repeat" : "mismatch", attempt_id, to, call_id: existing.call.call_id })
      return same ? { status: 200, json: existing.call.json() } : refusal(422, "key_used_for_another_call")
    }
    const callee = rules.find(({ suffix }) => to.endsWith(suffix))?.callee ?? options.default ?? defaultCallee
    if (callee.kind === "refused") return refusal(422, callee.code)
    if (callee.kind === "unavailable") return refusal(503, "no_line_free", false)
    const call = ring({ attempt_id, from: null, to, callee, ringSeconds: Number(headers["ring-seconds"]) })
    keys.set(key, { at: Date.now(), body, call })
    return { status: 201, json: call.json() }
  }

  const callIn = ({ from, ringSeconds = 40, to, ...person }: InboundPerson): DoubleCall =>
    ring({ attempt_id: null, from, to, callee: { ...defaultCallee, ...person }, ringSeconds })

  const list = (query: URLSearchParams): HttpResponse => {
    const attempt = query.get("attempt_id")
    if (attempt !== null && !keeps.includes("lookup")) return refusal(404, "not_offered")
    const matches = attempt === null
      ? [...live]
      : [...calls.values()].filter((call) => call.attempt_id === attempt && Date.now() - call.takenAt >= settleMillis)
    return { status: 200, json: { calls: matches.map((call) => call.json()), next: null } }
  }

  const act = async (call: DoubleCall, action: string | undefined, body: string): Promise<HttpResponse> => {
    if (action === undefined) return { status: 200, json: call.json() }
    if (action === "hang-up") {
      call.hangUp(JSON.parse(body).reason)
      return { status: 200, json: call.json() }
    }
    if (action === "answer") {
      call.answer()
      return call.isOver() ? { status: 410, json: { ended_by: "user" } } : { status: 200, json: call.json() }
    }
    if (action !== "say" && action !== "listen") return refusal(404, "no_such_route")
    const { wait_seconds, ...turn } = JSON.parse(body)
    const later = pause(wait_seconds * 1000, { status: 202, json: {} }, { ref: false })
    return await Promise.race([call.turn(action, turn), later])
  }

  const route = (method: string, path: string): Route =>
    path === "/calls"
      ? method === "POST" ? "create" : "list"
      : path.endsWith("/say")
      ? "say"
      : path.endsWith("/listen")
      ? "listen"
      : path.endsWith("/hang-up")
      ? "hang-up"
      : path.endsWith("/answer")
      ? "answer"
      : "call"

  const answer = async (request: DoubleRequest): Promise<HttpResponse> => {
    const url = new URL(request.path, "http://double")
    if (url.pathname === "/calls") return request.method === "POST" ? create(request) : list(url.searchParams)
    const [, , id = "", action] = url.pathname.split("/")
    const call = calls.get(decodeURIComponent(id))
    return call === undefined ? refusal(404, "no_such_call") : await act(call, action, request.body)
  }

  const faultFor = (at: Route): Fault | undefined => {
    const index = injectedFaults.findIndex(({ route }) => route === at)
    return index < 0
      ? at === "create" ? randomFault(faults, random) : undefined
      : injectedFaults.splice(index, 1)[0]?.fault
  }

  const server = createServer(async (incoming, response) => {
    const { headers, method = "", url: path = "" } = incoming
    const request = { method, path, headers, body: await bodyOf(incoming) }
    requests.push(request)
    if (headers.authorization !== `Bearer ${apiKey}`) return send(response, refusal(401, "unknown_key"))
    const fault = faultFor(route(method, path.split("?")[0] ?? ""))
    if (fault?.when === "before" && await applyFault(fault, response)) return
    const regularResponse = await answer(request)
    if (fault?.when === "after" && await applyFault(fault, response)) return
    send(response, regularResponse)
  })
  await new Promise<void>((listening) => server.listen(options.port ?? 0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    journal,
    requests,
    calls: () => [...calls.values()],
    callIn,
    busiest: () => busiest,
    countEvents: () => pushes?.countEvents() ?? 0,
    injectFault: (route, fault) => injectedFaults.push({ route, fault }),
    close: () => {
      pushes?.close()
      live.forEach((call) => call.hangUp())
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    }
  }
}
