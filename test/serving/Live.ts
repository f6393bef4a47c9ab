import { assert } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { type RawData, WebSocket } from "ws"
import { type Json, sendRequest } from "./Client.js"
import type { Served } from "./Ways.js"

/** Key and path of a client of the live feed. */
export interface Watching {
  readonly path?: string
  readonly key?: string | null
}

/** Live events as a client receives them. */
export interface Watched {
  /** Reads the next event; undefined at the end. Nothing is read in advance. */
  readonly next: () => Promise<Json>
  /** Disconnects without a close frame. */
  readonly leave: () => void
}

/** Path of the live feed. */
export const livePath = (room = "main", org = "acme") => `/v1/orgs/${org}/workspaces/${room}/calls/live`

const keyed = (key: string | null): Record<string, string> => key === null ? {} : { "api-subscription-key": key }

const dataOf = (frame: string) =>
  frame.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n")

/** Transport of the live feed. */
export interface Watch {
  readonly by: string
  readonly socket: boolean
  /** Rejects with `RequestRejected` when the server rejects the request. */
  readonly watch: (server: Pick<Served, "url">, watching?: Watching) => Promise<Watched>
  /** Connects once more. True when the server rejects that as too many, after checking the response; disconnects if not. */
  readonly isTooMany: (server: Pick<Served, "url">, watching?: Watching) => Promise<boolean>
}

/** The server rejected a request. */
export class RequestRejected extends Error {
  constructor(readonly status: number | undefined, readonly requestId: unknown) {
    super(`rejected with ${status}`)
  }
}

/** Follows live events as server-sent events. */
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
    throw new RequestRejected(response.statusCode, response.headers["x-request-id"])
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

/** Close frame of a WebSocket. */
export interface CloseFrame {
  readonly code: number
  readonly reason: string
}

/** Follows live events over a WebSocket. */
export const watchSocket = async (
  { url }: Pick<Served, "url">,
  { key = testKeys.main, path = livePath() }: Watching = {}
): Promise<Watched & { readonly closeFrame: Promise<CloseFrame>; readonly socket: WebSocket }> => {
  const socket = new WebSocket(`${url}${path}`.replace("http:", "ws:"), { headers: keyed(key) })
  const received: Array<string> = []
  const closeFrame = new Promise<CloseFrame>((resolve) => {
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
      reject(new RequestRejected(statusCode, headers["x-request-id"]))
    })
    socket.once("error", reject)
  })
  socket.on("error", () => undefined)
  const next = async (): Promise<Json> => {
    const text = received.shift()
    if (text !== undefined) return JSON.parse(text)
    const message = once(socket, "message")
    socket.resume()
    return await Promise.race([message.then(() => true), closeFrame.then(() => false)]) ? next() : undefined
  }
  return { closeFrame, next, socket, leave: () => socket.terminate() }
}

/** Both transports of the live feed. */
export const watches: ReadonlyArray<Watch> = [
  {
    by: "server-sent events",
    socket: false,
    watch: watchEvents,
    isTooMany: async (server, { path = livePath(), ...sending } = {}) => {
      const { headers, json, status } = await sendRequest(server, path, sending)
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
      const { closeFrame, leave, socket } = await watchSocket(server, watching)
      const pong = once(socket, "pong")
      socket.ping()
      socket.resume()
      const end = await Promise.race([closeFrame, pong.then(() => undefined)])
      leave()
      if (end === undefined) return false
      assert.strictEqual(end.code, 1003)
      assert.match(end.reason, /rate limit/)
      return true
    }
  }
]
