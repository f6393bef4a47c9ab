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
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { deployments, listByHand } from "./http-by-hand.js"

interface WorkspacePath {
  readonly org_id: string
  readonly workspace_id: string
}
interface ExpressRequest extends IncomingMessage {
  readonly path: string
  readonly params: WorkspacePath
  readonly query: Readonly<Record<string, unknown>>
}
interface ExpressResponse {
  readonly status: (status: number) => ExpressResponse
  readonly set: (headers: Readonly<Record<string, string>>) => ExpressResponse
  readonly json: (body: unknown) => void
}
interface Express {
  (request: IncomingMessage, response: ServerResponse): void
  readonly use: (handle: Awaited<ReturnType<typeof toExpressHandler>>) => void
  readonly get: (path: string, handle: (request: ExpressRequest, response: ExpressResponse) => void) => void
}
const express: () => Express = createRequire(import.meta.url)("express")

const workspace = "/v1/orgs/:org_id/workspaces/:workspace_id/deployments"

/** The test engine with every request counted, against a limit that is never reached. */
const limited = testEngineWith({
  limits: RateLimits.layerMemory({
    plans: Record.map(planTable, (limits) => ({
      ...limits,
      requests: { ...limits.requests, deployments: [{ perMinute: 60_000_000, burst: 1_000_000_000 }] as const }
    }))
  })
})

/** The response of the bare server: written once, whatever the request. */
const fixed = JSON.stringify(
  listByHand({ key: testKeys.main, org: "acme", workspace: "main", path: "/", query: {} }).body
)

const keyHeader = "api-subscription-key"

const requestOf = ({ org_id, workspace_id }: WorkspacePath) => ({ org: org_id, workspace: workspace_id })

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
      if (request.headers["api-subscription-key"] !== testKeys.main) return void response.writeHead(403).end()
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(fixed) })
      response.end(fixed)
    })),
  "node:http by hand": () =>
    listening(createServer(({ headers, url = "/" }, response) => {
      const [path = "/", search] = url.split("?")
      const [, , , org = "", , workspace = "", resource] = path.split("/")
      if (resource !== "deployments") return void response.writeHead(404).end()
      const query = Object.fromEntries(new URLSearchParams(search))
      const { body, headers: extra, status } = listByHand({ key: headers[keyHeader], org, workspace, path, query })
      const text = JSON.stringify(body)
      response.writeHead(status, {
        ...extra,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text)
      })
      response.end(text)
    })),
  express: () => {
    const app = express()
    app.get(workspace, ({ headers, params, path, query }, response) => {
      const { body, headers: extra, status } = listByHand({
        ...requestOf(params),
        key: headers[keyHeader],
        path,
        query
      })
      response.status(status).set(extra).json(body)
    })
    return listening(createServer(app))
  },
  fastify: async () => {
    const app = Fastify()
    app.get<{ Querystring: Record<string, unknown>; Params: WorkspacePath }>(
      workspace,
      ({ headers, params, query, url }, reply) => {
        const path = url.replace(/\?.*/, "")
        const { body, headers: extra, status } = listByHand({
          ...requestOf(params),
          key: headers[keyHeader],
          path,
          query
        })
        return reply.code(status).headers(extra).send(body)
      }
    )
    return app.listen({ port: 0, host: "127.0.0.1" })
  },
  hono: () => {
    const app = new Hono()
    app.get(workspace, (context) => {
      const { body, headers, status } = listByHand({
        key: context.req.header(keyHeader),
        org: context.req.param("org_id") ?? "",
        workspace: context.req.param("workspace_id") ?? "",
        path: context.req.path,
        query: context.req.query()
      })
      return new Response(JSON.stringify(body), { status, headers: { ...headers, "content-type": "application/json" } })
    })
    return listeningFetch(app.fetch)
  },
  bun: async () => {
    const answer = ({ headers: sent, url }: Request) => {
      const { pathname: path, searchParams } = new URL(url)
      const [, , , org = "", , workspace = ""] = path.split("/")
      const query = Object.fromEntries(searchParams)
      const { body, headers, status } = listByHand({ key: sent.get(keyHeader), org, workspace, path, query })
      return Response.json(body, { status, headers })
    }
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

/**
 * Starts the requested server. Answers every message with its CPU time so far in microseconds, and the 99th percentile of
 * the delay of its event loop since the last message, in milliseconds.
 */
const [, , name = ""] = process.argv
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.({ micros: system + user, delayMillis: delay.percentile(99) / 1_000_000 })
  delay.reset()
})
process.on("disconnect", () => process.exit(0))
process.send?.(await servers[name]?.())
