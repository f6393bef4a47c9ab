import { serve as serveFetch } from "@hono/node-server"
import { serve as serveOnBun } from "@trunkline/bun"
import { toExpressHandler } from "@trunkline/express"
import { toFetchHandler } from "@trunkline/fetch"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { planTable, RateLimits } from "@trunkline/rate-limits"
import { Record } from "effect"
import Fastify from "fastify"
import { Hono } from "hono"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"

interface ExpressRequest extends IncomingMessage {
  readonly query: Readonly<Record<string, unknown>>
}
interface Express {
  (request: IncomingMessage, response: ServerResponse): void
  readonly use: (handle: Awaited<ReturnType<typeof toExpressHandler>>) => void
  readonly get: (
    path: string,
    handle: (request: ExpressRequest, response: { readonly json: (body: unknown) => void }) => void
  ) => void
}
const express: () => Express = createRequire(import.meta.url)("express")

const workspace = "/v1/orgs/:org_id/workspaces/:workspace_id/deployments"

const deployments = [1, 2, 3].map((number) => ({
  name: `Desk ${number}`,
  app_id: "collections",
  app_version: 1,
  connection_configs: [{ connection_id: "sim-1", phone_numbers: [`+91114000000${number}`] }]
}))

const records = deployments.map(({ connection_configs, ...deployment }, index) => ({
  deployment_id: `dep-00000000000${index}`,
  ...deployment,
  description: null,
  channel_direction: "inbound",
  inbound_config: null,
  status: "active",
  created_by: "tests",
  created_at: "2026-01-01T09:00:00.000Z",
  updated_by: "tests",
  updated_at: "2026-01-01T09:00:00.000Z",
  phone_numbers: connection_configs.flatMap(({ phone_numbers }) => phone_numbers)
}))

/** The test engine with every request counted, against a limit that is never reached. */
const limited = testEngineWith({
  limits: RateLimits.layerMemory({
    plans: Record.map(planTable, (limits) => ({
      ...limits,
      requests: { ...limits.requests, deployments: [{ perMinute: 60_000_000, burst: 1_000_000_000 }] as const }
    }))
  })
})

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")
const known = hashOf(testKeys.main)

/** The least work of a list route: checks the key, reads the query, returns a page. */
const list = (key: unknown, query: Readonly<Record<string, unknown>>) => {
  if (hashOf(String(key)) !== known) throw new Error("The key is unknown")
  const [offset, limit] = [Number(query["offset"] ?? 0), Number(query["limit"] ?? 10)]
  const items = records.slice(offset, offset + limit)
  return { items, total: records.length, limit, offset, next_page_uri: null, prev_page_uri: null }
}

const listening = async (server: ReturnType<typeof createServer>) => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

const listeningFetch = (fetch: (request: Request) => Response | Promise<Response>) =>
  new Promise<string>((resolve) => {
    serveFetch({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(`http://127.0.0.1:${port}`))
  })

declare const Bun: {
  readonly serve: (
    options: { readonly fetch: (request: Request) => Response; readonly port: number; readonly hostname: string }
  ) => { readonly port: number }
}

/** Adds to a server of our API the data that the other servers have from the start. */
const furnished = async (url: string) => {
  for (const deployment of deployments) {
    await fetch(`${url}/v1/orgs/acme/workspaces/main/deployments`, {
      method: "POST",
      headers: { "api-subscription-key": testKeys.main, "content-type": "application/json" },
      body: JSON.stringify(deployment)
    })
  }
  return url
}

const servers: Readonly<Record<string, () => Promise<string>>> = {
  "node:http": () =>
    listening(createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://localhost")
      const body = list(request.headers["api-subscription-key"], Object.fromEntries(searchParams))
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(body))
    })),
  express: () => {
    const app = express()
    app.get(workspace, ({ headers, query }, response) => response.json(list(headers["api-subscription-key"], query)))
    return listening(createServer(app))
  },
  fastify: async () => {
    const app = Fastify()
    app.get<{ Querystring: Record<string, unknown> }>(
      workspace,
      ({ headers, query }) => Promise.resolve(list(headers["api-subscription-key"], query))
    )
    return app.listen({ port: 0, host: "127.0.0.1" })
  },
  hono: () => {
    const app = new Hono()
    app.get(workspace, (context) => context.json(list(context.req.header("api-subscription-key"), context.req.query())))
    return listeningFetch(app.fetch)
  },
  bun: async () => {
    const answer = ({ headers, url }: Request) =>
      Response.json(list(headers.get("api-subscription-key"), Object.fromEntries(new URL(url).searchParams)))
    return `http://127.0.0.1:${Bun.serve({ fetch: answer, port: 0, hostname: "127.0.0.1" }).port}`
  },
  "trunkline on node:http": async () => furnished((await serve(limited, { port: 0 })).url),
  "trunkline in express": async () => {
    const app = express()
    app.use(await toExpressHandler(limited))
    return furnished(await listening(createServer(app)))
  },
  "trunkline in hono": async () => {
    const handler = await toFetchHandler(limited)
    const app = new Hono()
    app.all("*", (context) => handler(context.req.raw))
    return furnished(await listeningFetch(app.fetch))
  },
  "trunkline on bun": async () => furnished((await serveOnBun(limited, { port: 0 })).url)
}

/** Starts the requested server, and answers every message with its CPU time so far, in microseconds. */
const [, , name = ""] = process.argv
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})
process.on("disconnect", () => process.exit(0))
process.send?.(await servers[name]?.())
