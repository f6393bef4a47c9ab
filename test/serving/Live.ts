import { assert } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { type RawData, WebSocket } from "ws"
import { ask, type Json } from "./Client.js"
import type { Served } from "./Ways.js"

/** Who watches, and where. */
export interface Watching {
  readonly path?: string
  readonly key?: string | null
}

/** Live events, as a client gets them. */
export interface Watched {
  /** The next event; undefined when there are no more. Nothing is read before it is asked for. */
  readonly next: () => Promise<Json>
  /** Goes away without a word. */
  readonly leave: () => void
}

/** The route of live events. */
export const livePath = (room = "main", org = "acme") => `/v1/orgs/${org}/workspaces/${room}/calls/live`

const keyed = (key: string | null): Record<string, string> => key === null ? {} : { "api-subscription-key": key }

const dataOf = (frame: string) =>
  frame.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n")

/** Live events, and how to get them. */
export interface Watch {
  readonly by: string
  readonly socket: boolean
  /** Rejects with `Refused` when the request is refused. */
  readonly watch: (server: Pick<Served, "url">, watching?: Watching) => Promise<Watched>
  /** Whether one more connection is too many, which must be said as it should; goes away again if not. */
  readonly isTooMany: (server: Pick<Served, "url">, watching?: Watching) => Promise<boolean>
}

/** What a client is told who is not let in. */
export class Refused extends Error {
  constructor(readonly status: number | undefined, readonly requestId: unknown) {
    super(`refused with ${status}`)
  }
}

/** Watches by server-sent events; rejects with `Refused` when that is refused. */
export const watchEvents = async (
  { url }: Pick<Served, "url">,
  { key = testKeys.main, path = livePath() }: Watching = {}
): Promise<Watched & { readonly response: IncomingMessage }> => {
  const asking = request(`${url}${path}`, { headers: keyed(key), agent: false }).end()
  const [response]: [IncomingMessage] = await once(asking, "response") as [IncomingMessage]
  asking.on("error", () => undefined)
  response.on("error", () => undefined).setEncoding("utf8")
  if (response.statusCode !== 200) {
    response.resume()
    throw new Refused(response.statusCode, response.headers["x-request-id"])
  }
  const pieces: AsyncIterator<string> = response[Symbol.asyncIterator]()
  let held = ""
  const next = async (): Promise<Json> => {
    const end = held.indexOf("\n\n")
    if (end >= 0) {
      const data = dataOf(held.slice(0, end))
      held = held.slice(end + 2)
      return data === "" ? next() : JSON.parse(data)
    }
    const piece = await pieces.next()
    if (piece.done) return undefined
    held += piece.value
    return next()
  }
  return { response, next, leave: () => asking.destroy() }
}

/** How a WebSocket ended. */
export interface Goodbye {
  readonly code: number
  readonly reason: string
}

/** Watches over a WebSocket; rejects with `Refused` when the upgrade is refused. */
export const watchSocket = async (
  { url }: Pick<Served, "url">,
  { key = testKeys.main, path = livePath() }: Watching = {}
): Promise<Watched & { readonly goodbye: Promise<Goodbye>; readonly socket: WebSocket }> => {
  const socket = new WebSocket(`${url}${path}`.replace("http:", "ws:"), { headers: keyed(key) })
  const received: Array<string> = []
  const goodbye = new Promise<Goodbye>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }))
  })
  socket.on("message", (data: RawData) => {
    received.push(String(data))
    socket.pause()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => {
      socket.pause()
      resolve()
    })
    socket.once("unexpected-response", (asking, { headers, statusCode }) => {
      asking.destroy()
      reject(new Refused(statusCode, headers["x-request-id"]))
    })
    socket.once("error", reject)
  })
  socket.on("error", () => undefined)
  const next = async (): Promise<Json> => {
    const text = received.shift()
    if (text !== undefined) return JSON.parse(text)
    const message = once(socket, "message")
    socket.resume()
    return await Promise.race([message.then(() => true), goodbye.then(() => false)]) ? next() : undefined
  }
  return { goodbye, next, socket, leave: () => socket.terminate() }
}

/** Both ways to watch. */
export const watches: ReadonlyArray<Watch> = [
  {
    by: "server-sent events",
    socket: false,
    watch: watchEvents,
    isTooMany: async (server, { path = livePath(), ...sending } = {}) => {
      const { headers, json, status } = await ask(server, path, sending)
      if (status === 200) return false
      assert.deepStrictEqual([status, json.error.code], [429, "rate_limit_exceeded_error"])
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      return true
    }
  },
  {
    by: "a WebSocket",
    socket: true,
    watch: watchSocket,
    isTooMany: async (server, watching) => {
      const { goodbye, leave, socket } = await watchSocket(server, watching)
      const pong = once(socket, "pong")
      socket.ping()
      socket.resume()
      const end = await Promise.race([goodbye, pong.then(() => undefined)])
      leave()
      if (end === undefined) return false
      assert.strictEqual(end.code, 1003)
      assert.match(end.reason, /rate limit/)
      return true
    }
  }
]
