import { toExpressHandler } from "@trunkline/express"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { loadEngine } from "../engines/index.js"
import type { Way } from "../Ways.js"
import { closing, listening } from "./Listening.js"

interface ExpressResponse extends ServerResponse {
  readonly status: (code: number) => ExpressResponse
  readonly send: (text: string) => void
}
type Middleware<Response> = (request: IncomingMessage, response: Response, next: (error?: unknown) => void) => void
interface Express {
  (request: IncomingMessage, response: ServerResponse): void
  readonly use: {
    (middleware: Middleware<ExpressResponse>): void
    (path: string, middleware: Middleware<ServerResponse>): void
  }
  readonly get: (path: string, handle: Middleware<ExpressResponse>) => void
}
const express: {
  (): Express
  readonly json: (options: { readonly limit: string; readonly strict: boolean }) => Middleware<ExpressResponse>
} = createRequire(import.meta.url)("express")

const prefix = "/voice"

/** `toExpressHandler` of `@trunkline/express` under a prefix, before or after a JSON parser. */
const expressWay = (name: string, parsesJson: boolean): Way => {
  const host = { notFound: "Express has no such page", own: "A page of Express", parsesJson }
  return {
    name,
    prefix,
    host,
    webSockets: true,
    start: async (engine = "standard") => {
      const handler = await toExpressHandler(await loadEngine(engine), { prefix })
      const app = express()
      if (parsesJson) app.use(express.json({ limit: "16mb", strict: false }))
      app.use(prefix, handler)
      app.get(`${prefix}/own`, (_, response) => response.send(host.own))
      app.use((_, response) => response.status(404).send(host.notFound))
      const server = createServer(app)
      server.on("upgrade", (request, socket, head) => {
        if (!handler.upgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n")
      })
      return { url: `${await listening(server)}${prefix}`, close: closing(server, handler.close) }
    }
  }
}

export const expressBefore = expressWay("express", false)
export const expressAfter = expressWay("express after express.json()", true)
