import { getRequestListener } from "@hono/node-server"
import { toFetchHandler } from "@trunkline/fetch"
import { Hono } from "hono"
import { createServer } from "node:http"
import { loadEngine } from "../engines/index.js"
import type { Way } from "../Ways.js"
import { closing, listening } from "./Listening.js"

/** `toFetchHandler` of `@trunkline/fetch`, in a server of its own. */
export const fetchAlone: Way = {
  name: "fetch",
  prefix: "",
  webSockets: false,
  start: async (engine = "standard") => {
    const handler = await toFetchHandler(await loadEngine(engine))
    const server = createServer(getRequestListener((request) => handler(request)))
    return { url: await listening(server), close: closing(server, handler.close) }
  }
}

const prefix = "/voice"
const host = { notFound: "Hono has no such page", own: "A page of Hono", parsesJson: false }

/** `toFetchHandler` under a prefix of a Hono app. */
export const hono: Way = {
  name: "fetch in Hono",
  prefix,
  host,
  webSockets: false,
  start: async (engine = "standard") => {
    const handler = await toFetchHandler(await loadEngine(engine), { prefix })
    const app = new Hono()
    app.use(async ({ req }, next) => handler.handles(req.raw) ? handler(req.raw) : next())
    app.get(`${prefix}/own`, (context) => context.text(host.own))
    app.notFound((context) => context.text(host.notFound, 404))
    const server = createServer(getRequestListener(app.fetch))
    return { url: `${await listening(server)}${prefix}`, close: closing(server, handler.close) }
  }
}
