import { testEngine, testKeys } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import Fastify from "fastify"
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

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")
const known = hashOf(testKeys.main)

/** What the list route has to do at the least: look at the key, read the query, give a page. */
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
  trunkline: async () => {
    const { url } = await serve(testEngine, { port: 0 })
    for (const deployment of deployments) {
      await fetch(`${url}/v1/orgs/acme/workspaces/main/deployments`, {
        method: "POST",
        headers: { "api-subscription-key": testKeys.main, "content-type": "application/json" },
        body: JSON.stringify(deployment)
      })
    }
    return url
  }
}

/** Serves what it is told to, and answers every message with the CPU time it has used so far, in microseconds. */
const [, , name = ""] = process.argv
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})
process.on("disconnect", () => process.exit(0))
process.send?.(await servers[name]?.())
