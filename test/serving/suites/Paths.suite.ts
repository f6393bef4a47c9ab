import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { request } from "node:http"
import { text } from "node:stream/consumers"
import { campaignBody } from "../Bodies.js"
import { follow, type Json, sendRequest, workspace } from "../Client.js"
import { served, type Way } from "../Ways.js"

/** A path without a route under every prefix. */
const nowhere = {
  org: ["/v1/orgs/acme", "/analytics/v1/acme/main"],
  chat: [
    "/nowhere",
    "/",
    "/chat/completions",
    "/v1/v1/responses",
    "/v1/chat/nowhere",
    "/v2/chat/nowhere",
    "/v1/models/nowhere/at-all",
    "/v2/models/nowhere/at-all"
  ],
  responses: ["/v2/responses/nowhere/at-all"],
  voices: ["/voices/nowhere/at-all"],
  boards: ["/api/analytics/v1/acme/main/nowhere"]
}

const notFound = { code: "not_found_error", message: "There is no such route" }

/** Paths that resemble those of routes. */
const alike = [
  "/V1/orgs/acme/workspaces/main/deployments",
  `${workspace}//deployments`,
  `/${workspace}/deployments`,
  "/health/",
  "/%zz",
  "/v1/orgs/%zz"
]

/** Paths with POST only, beside routes that have a parameter in place of their fixed segment. */
const posts = [
  "/voices/clone",
  "/voices/%63lone",
  "/voices/create",
  "/voices/clone/stream",
  ...["campaigns/camp-0", "deployments/dep-0"].flatMap((owner) => [
    `${workspace}/${owner}/cohorts/upload`,
    `${workspace}/${owner}/cohorts/stream`
  ])
]

/** Routing of paths, and links in responses. Raw HTTP, since its subject is the wire: spellings of paths, 404 and 405. */
export const pathsSuite = (way: Way) =>
  describe(`paths over ${way.name}`, () => {
    const server = served(way)

    const target = (path: string, method = "GET") => {
      const { hostname, pathname, port } = new URL(server.url)
      const prefix = pathname === "/" ? "" : pathname
      return request({ hostname, port, path: path.replace("{prefix}", prefix), method, agent: false }).end()
    }

    it("tell the health of the server without a key", async () => {
      const alive = await sendRequest(server, "/livez", { method: "GET", key: null })
      assert.deepStrictEqual([alive.status, alive.json], [200, { status: "ok" }])
      const ready = await sendRequest(server, "/readyz", { method: "GET", key: null })
      assert.strictEqual(ready.status, 200, ready.text)
      const names = ready.json.checks.map(({ name }: Json) => name)
      assert.deepStrictEqual(names, ["store", "schema", "disk", "draining"])
    })

    it("matches paths exactly", async () => {
      for (const path of alike) {
        const [response] = await once(target(`{prefix}${path}`), "response")
        assert.strictEqual(response.statusCode, 404, path)
        assert.strictEqual(await text(response) === way.host?.notFound, way.host !== undefined)
      }
    })

    it("matches a route in every percent-encoding", async () => {
      const health = await sendRequest(server, "/%68ealth", { key: null })
      const wrong = await sendRequest(server, "/%68ealth", { method: "PURGE", key: null })
      assert.deepStrictEqual([health.status, wrong.status], [200, 405])
    })

    it.each(posts)("with POST only respond to other methods with 405: %s", async (path) => {
      for (const method of ["GET", "HEAD", "DELETE", "PATCH", "PUT"]) {
        const { headers, json, status } = await sendRequest(server, path, { method })
        assert.deepStrictEqual([status, headers.get("allow")], [405, "POST"], method)
        if (method !== "HEAD") assert.strictEqual(json.error.code, "invalid_request_error")
      }
    })

    it("accepts absolute URLs in the request line", async () => {
      const [response] = await once(target("http://elsewhere.example{prefix}/health?a=b"), "response")
      assert.deepStrictEqual([response.statusCode, JSON.parse(await text(response)).status], [200, "ok"])
    })

    it.runIf(way.host === undefined)(
      "without a route are answered in the envelope of boards, or in that of the clients of models",
      async () => {
        for (const [family, paths] of Object.entries(nowhere)) {
          for (const path of paths) {
            for (const sending of [{}, { method: "POST", body: {} }, { method: "DELETE", key: null }]) {
              const { headers, json, status } = await sendRequest(server, path, sending)
              assert.strictEqual(status, 404, path)
              const main = { ...notFound, request_id: headers.get("x-request-id") }
              const error = family === "boards"
                ? { ...notFound, code: "NOT_FOUND" }
                : { ...main, type: "invalid_request_error", param: "" }
              assert.deepStrictEqual(json, { error }, path)
            }
          }
        }
      }
    )

    it.runIf(way.host !== undefined)(
      "without a route are left to the host, under the prefix and elsewhere",
      async () => {
        const paths = Object.values(nowhere).flat().map((path) => `${way.prefix}${path}`)
        for (const path of [...paths, way.prefix, "/health", `${workspace}/deployments`, `${way.prefix}er/health`]) {
          const response = await fetch(new URL(path, server.url), { method: "POST", body: "text" })
          assert.deepStrictEqual([response.status, await response.text()], [404, way.host?.notFound])
          assert.isNull(response.headers.get("x-request-id"))
        }
        const own = await fetch(`${server.url}/own`)
        assert.deepStrictEqual([own.status, await own.text()], [200, way.host?.own])
      }
    )

    it("have the prefix of the server in the OpenAPI document", async () => {
      for (const path of ["/openapi.json", "/openapi.json?a=/b", "/%6fpenapi.json"]) {
        const { json } = await sendRequest(server, path, { key: null })
        assert.deepStrictEqual(json.servers.map(({ url }: Json) => url), [way.prefix === "" ? "/" : way.prefix], path)
      }
    })

    it("with invalid percent-encoding in the query are answered", async () => {
      for (const query of ["?search=%zz", "?search=%", "?%zz=1", "?search=%c3%28&limit=%31", "?", "??", "?a?b=c"]) {
        const { status } = await sendRequest(server, `${workspace}/deployments${query}`)
        assert.include([200, 422], status, query)
      }
    })

    it("keep every parameter in the links between pages", async () => {
      for (const name of ["one", "two", "three"]) {
        await sendRequest(server, `${workspace}/campaigns`, {
          method: "POST",
          body: { ...campaignBody, name: `page ${name}` }
        })
      }
      const first = (await sendRequest(server, `${workspace}/campaigns?limit=2&search=page&sort_by=name`)).json
      assert.strictEqual(first.total, 3)
      assert.isNull(first.prev_page_uri)
      assert.isTrue(first.next_page_uri.startsWith(`${way.prefix}${workspace}/campaigns?`), first.next_page_uri)
      const second = (await follow(server, first.next_page_uri)).json
      assert.deepStrictEqual([second.items.length, second.items[0].name], [1, "page one"])
      assert.isNull(second.next_page_uri)
      assert.deepStrictEqual((await follow(server, second.prev_page_uri)).json.items, first.items)
    })
  })
