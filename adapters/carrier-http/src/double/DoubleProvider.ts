import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { type DoubleCallee, type DoubleRule, politeCallee } from "./Callee.js"
import { dial, type DoubleCall } from "./DoubleCall.js"
import { type Fault, faultByChance, type FaultRates, randomFrom, type Route } from "./Faults.js"
import { type Journal, makeJournal } from "./Journal.js"
import { makePushes, type PushOptions } from "./Pushes.js"

/** A provider that plays its callees, too. Every value has a default that makes it polite and quick. */
export interface DoubleOptions {
  /** Default: a free one. */
  readonly port?: number
  /** Default: `double-key`. */
  readonly apiKey?: string
  /** What it keeps. `key`: it answers a known key with the same call; `lookup`: it finds calls by attempt id. */
  readonly keeps?: ReadonlyArray<"key" | "lookup">
  /** How long a key is remembered, in ms; default: for ever. */
  readonly keyMillis?: number
  /** How long a call is not found by its attempt id yet, in ms; default 0. */
  readonly settleMillis?: number
  readonly rules?: ReadonlyArray<DoubleRule>
  readonly default?: DoubleCallee
  /** Real milliseconds that a second of the protocol takes; default 5. */
  readonly secondMillis?: number
  /** How long somebody stays on a line where nothing happens, in ms; default 30,000. */
  readonly patienceMillis?: number
  readonly pushes?: PushOptions
  readonly faults?: FaultRates
  readonly seed?: number
  /** Where the journal is written, too. */
  readonly journalFile?: string
}

/** A request as it came. */
export interface DoubleRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A provider on this machine that counts what it dials. */
export interface DoubleProvider {
  /** The `base_url` of its connections. */
  readonly url: string
  readonly apiKey: string
  readonly journal: Journal
  readonly requests: ReadonlyArray<DoubleRequest>
  readonly calls: () => ReadonlyArray<DoubleCall>
  /** The most calls that were going on at once. */
  readonly busiest: () => number
  /** Events that were taken. */
  readonly pushed: () => number
  /** The next question of this kind meets this fault. */
  readonly strike: (route: Route, fault: Fault) => void
  readonly close: () => Promise<void>
}

interface Reply {
  readonly status: number
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const refused = (status: number, code: string, taken?: boolean): Reply => ({
  status,
  json: { error: { code, ...(taken !== undefined && { taken }) } }
})

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString("utf8")
}

const send = (response: ServerResponse, { headers, json, status }: Reply) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(json))

/** What is known of a key: the bytes that it came with first, and what they were answered. */
interface Kept {
  readonly at: number
  readonly body: string
  readonly call: DoubleCall
}

/** Starts a provider on this machine. */
export const startDouble = async (options: DoubleOptions = {}): Promise<DoubleProvider> => {
  const { apiKey = "double-key", faults = {}, keeps = ["key", "lookup"], keyMillis = Infinity } = options
  const { patienceMillis = 30_000, rules = [], secondMillis = 5, seed = 1, settleMillis = 0 } = options
  const journal = makeJournal(options.journalFile ?? null)
  const random = randomFrom(seed)
  const pushes = options.pushes === undefined ? undefined : makePushes(options.pushes, random)
  const calls = new Map<string, DoubleCall>()
  const live = new Set<DoubleCall>()
  const kept = new Map<string, Kept>()
  const requests: Array<DoubleRequest> = []
  const strikes: Array<{ readonly route: Route; readonly fault: Fault }> = []
  let busiest = 0

  const changed = (call: DoubleCall) => {
    if (call.isOver()) live.delete(call)
    pushes?.push(call.json())
  }

  const create = ({ body, headers }: DoubleRequest): Reply => {
    const key = String(headers["idempotency-key"] ?? "")
    const { attempt_id, to }: { readonly attempt_id: string; readonly to: string } = JSON.parse(body)
    journal.add({ what: "create", attempt_id, to })
    const known = keeps.includes("key") ? kept.get(key) : undefined
    if (known !== undefined && Date.now() - known.at < keyMillis) {
      const same = known.body === body
      journal.add({ what: same ? "repeat" : "mismatch", attempt_id, to, call_id: known.call.call_id })
      return same ? { status: 200, json: known.call.json() } : refused(422, "key_used_for_another_call")
    }
    const callee = rules.find(({ suffix }) => to.endsWith(suffix))?.callee ?? options.default ?? politeCallee
    if (callee.kind === "refused") return refused(422, callee.code)
    if (callee.kind === "unavailable") return refused(503, "no_line_free", false)
    const call = dial({
      call_id: `call-${calls.size + 1}`,
      attempt_id,
      to,
      callee,
      ringSeconds: Number(headers["ring-seconds"]),
      secondMillis,
      patienceMillis,
      journal,
      changed
    })
    calls.set(call.call_id, call)
    live.add(call)
    busiest = Math.max(busiest, live.size)
    kept.set(key, { at: Date.now(), body, call })
    pushes?.push(call.json())
    return { status: 201, json: call.json() }
  }

  const list = (query: URLSearchParams): Reply => {
    const attempt = query.get("attempt_id")
    if (attempt !== null && !keeps.includes("lookup")) return refused(404, "not_offered")
    const found = attempt === null
      ? [...live]
      : [...calls.values()].filter((call) => call.attempt_id === attempt && Date.now() - call.takenAt >= settleMillis)
    return { status: 200, json: { calls: found.map((call) => call.json()), next: null } }
  }

  const act = async (call: DoubleCall, action: string | undefined, body: string): Promise<Reply> => {
    if (action === undefined) return { status: 200, json: call.json() }
    if (action === "hang-up") {
      call.hangUp()
      return { status: 200, json: call.json() }
    }
    if (action !== "say" && action !== "listen") return refused(404, "no_such_route")
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
      : "call"

  const answer = async (request: DoubleRequest): Promise<Reply> => {
    const url = new URL(request.path, "http://double")
    if (url.pathname === "/calls") return request.method === "POST" ? create(request) : list(url.searchParams)
    const [, , id = "", action] = url.pathname.split("/")
    const call = calls.get(decodeURIComponent(id))
    return call === undefined ? refused(404, "no_such_call") : await act(call, action, request.body)
  }

  const faultFor = (at: Route): Fault | undefined => {
    const index = strikes.findIndex(({ route }) => route === at)
    return index < 0
      ? at === "create" ? faultByChance(faults, random) : undefined
      : strikes.splice(index, 1)[0]?.fault
  }

  /** Whether the fault leaves the question without an answer of its own. */
  const suffer = async (fault: Fault | undefined, response: ServerResponse): Promise<boolean> => {
    switch (fault?.kind) {
      case "status":
        send(response, { status: fault.status, json: fault.body ?? {} })
        return true
      case "cut":
        response.destroy()
        return true
      case "hang":
        return true
      case "late":
        await pause(fault.millis)
        return false
      case "garbage":
        response.writeHead(200, { "content-type": "text/html" }).end("<html>")
        return true
      case "endless":
        response.writeHead(200, { "content-type": "application/json" })
        while (!response.destroyed) {
          response.write(" ".repeat(64 * 1024))
          await pause(1)
        }
        return true
      case undefined:
        return false
    }
  }

  const server = createServer(async (incoming, response) => {
    const { headers, method = "", url: path = "" } = incoming
    const request = { method, path, headers, body: await bodyOf(incoming) }
    requests.push(request)
    if (headers.authorization !== `Bearer ${apiKey}`) return send(response, refused(401, "unknown_key"))
    const fault = faultFor(route(method, path.split("?")[0] ?? ""))
    if (fault?.when === "before" && await suffer(fault, response)) return
    const reply = await answer(request)
    if (fault?.when === "after" && await suffer(fault, response)) return
    send(response, reply)
  })
  await new Promise<void>((listening) => server.listen(options.port ?? 0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    journal,
    requests,
    calls: () => [...calls.values()],
    busiest: () => busiest,
    pushed: () => pushes?.taken() ?? 0,
    strike: (route, fault) => strikes.push({ route, fault }),
    close: () => {
      pushes?.close()
      live.forEach((call) => call.hangUp())
      return new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      })
    }
  }
}
