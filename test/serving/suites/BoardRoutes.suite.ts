import { assert, beforeAll, describe, it } from "@effect/vitest"
import { openApi } from "@trunkline/http-api"
import { testKeys } from "@trunkline/http-api/testing"
import { type Json, type SendOptions, sendRequest, type TestResponse } from "../Client.js"
import { base, board, filled, filtered, rule, sql, widget } from "../requests/BoardRequests.js"
import { served, type Way } from "../Ways.js"

/** A route and a valid request. Names in braces are replaced by ids that `beforeAll` creates. */
interface Row {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status?: number
}

const rows: ReadonlyArray<Row> = [
  { method: "GET", path: `${base}/query-schema` },
  { method: "POST", path: `${base}/query-preview`, body: { sql } },
  { method: "GET", path: `${base}/boards` },
  { method: "POST", path: `${base}/boards`, body: { name: "A board of the rows", tag: "rows" } },
  { method: "GET", path: board },
  { method: "PATCH", path: board, body: { tag: "patched" } },
  { method: "POST", path: `${board}/tabs`, body: { name: "Second" } },
  { method: "PATCH", path: `${board}/tabs/{tab_id}`, body: { name: "First" } },
  { method: "POST", path: `${board}/tabs/{tab_id}/run`, body: {} },
  { method: "POST", path: `${board}/widgets`, body: widget },
  { method: "PATCH", path: `${board}/widgets/{widget_id}`, body: { name: "Patched" } },
  { method: "POST", path: `${board}/widgets/{widget_id}/run`, body: { row_limit: 5 } },
  { method: "GET", path: `${board}/widgets/{widget_id}/chart.svg` },
  { method: "GET", path: `${board}/widgets/{widget_id}/chart.png` },
  { method: "GET", path: `${board}/filters` },
  { method: "PATCH", path: `${board}/filters/{filter_id}`, body: { display_label: "Patched" } },
  { method: "POST", path: `${board}/notifications`, body: rule, status: 201 },
  { method: "GET", path: `${board}/notifications` },
  { method: "GET", path: `${board}/notifications/{rule_id}` },
  { method: "PATCH", path: `${board}/notifications/{rule_id}`, body: { name: "Patched" } },
  { method: "GET", path: `${board}/notifications/{rule_id}/deliveries` },
  { method: "DELETE", path: `${board}/notifications/{rule_id}` },
  { method: "DELETE", path: `${board}/widgets/{widget_id}` },
  { method: "DELETE", path: `${board}/tabs/{tab_id}` },
  { method: "DELETE", path: board }
]

const titled = rows.map((row) => ({ ...row, title: `${row.method} ${row.path}` }))

const withBody = titled.filter(({ body }) => body !== undefined)

const withId = titled.filter(({ path }) => path.includes("{"))

/**
 * A valid request for every route of boards, and every rejection. Raw HTTP, since its subject is the wire: methods, keys, envelopes,
 * content types and unreadable bodies.
 */
export const boardRoutesSuite = (way: Way) =>
  describe(`the routes of boards over ${way.name}`, () => {
    const server = served(way)

    let ids: Readonly<Record<string, string>>

    const post = async (path: string, body: unknown): Promise<Json> =>
      (await sendRequest(server, filled(path, ids), { method: "POST", body })).json

    beforeAll(async () => {
      ids = {}
      const { id: board_id, tabs: [{ id: tab_id }] } = await post(`${base}/boards`, { name: "Rows" })
      ids = { board_id, tab_id }
      const { id: widget_id } = await post(`${board}/widgets`, widget)
      await post(`${board}/widgets`, filtered)
      const { json: { filters: [{ id: filter_id }] } } = await sendRequest(server, filled(`${board}/filters`, ids))
      const { rule_id } = await post(`${board}/notifications`, { ...rule, widget_id })
      ids = { board_id, tab_id, widget_id, filter_id, rule_id }
    })

    const send = ({ body, method, path }: Row, change: SendOptions & { readonly path?: string } = {}) =>
      sendRequest(server, change.path ?? filled(path, ids), {
        method,
        ...(body !== undefined && { body: JSON.parse(filled(JSON.stringify(body), ids)) }),
        ...change
      })

    const fails = (answer: TestResponse, status: number, code: string) => {
      assert.strictEqual(answer.status, status, answer.text)
      assert.deepStrictEqual(Object.keys(answer.json), ["error"])
      assert.deepStrictEqual(Object.keys(answer.json.error).sort(), ["code", "message"])
      assert.strictEqual(answer.json.error.code, code)
      assert.notMatch(answer.text, /\bat .*\.[jt]s:\d+|node_modules/)
    }

    it("tests every route", () => {
      const declared = Object.entries(openApi().paths).filter(([path]) => path.startsWith("/api/analytics/")).flatMap(
        ([path, item]) =>
          Object.keys(item).map((method) =>
            `${method.toUpperCase()} ${path.replace("{org_id}", "acme").replace("{workspace_id}", "main")}`
          )
      )
      assert.deepStrictEqual(titled.map(({ title }) => title).sort(), declared.sort())
    })

    it.each(titled)("rejects a missing or wrong key: $title", async (row) => {
      fails(await send(row, { key: null }), 401, "UNAUTHORIZED")
      fails(await send(row, { key: "sk_test_main_wrong" }), 401, "UNAUTHORIZED")
    })

    it.each(titled)("rejects the key of another account or workspace: $title", async (row) => {
      fails(await send(row, { key: testKeys.foreign }), 403, "FORBIDDEN")
      fails(await send(row, { key: testKeys.side }), 403, "FORBIDDEN")
    })

    it.each(titled)("responds to a wrong method with 405 and Allow: $title", async (row) => {
      const answer = await sendRequest(server, filled(row.path, ids), { method: "PURGE" })
      fails(answer, 405, "METHOD_NOT_ALLOWED")
      assert.include(answer.headers.get("allow") ?? "", row.method)
    })

    it.each(withId)("responds with 404 to an unknown id, and to one of another workspace: $title", async (row) => {
      const unknown = filled(row.path, { board_id: "00000000-0000-4000-8000-000000000000" })
      fails(await send(row, { path: filled(unknown, ids) }), 404, "NOT_FOUND")
      const side = filled(row.path, ids).replace("/acme/main/", "/acme/side/")
      fails(await send(row, { path: side, key: testKeys.side }), 404, "NOT_FOUND")
    })

    it.skipIf(way.host?.parsesJson).each(withBody)("rejects malformed JSON: $title", async (row) => {
      fails(await send(row, { body: "{" }), 400, "INVALID_REQUEST")
    })

    it.each(withBody)("rejects JSON that is not an object, with its path: $title", async (row) => {
      const answer = await send(row, { body: "[]" })
      assert.strictEqual(answer.status, 422, answer.text)
      assert.deepStrictEqual(Object.keys(answer.json), ["detail"])
      assert.strictEqual(answer.json.detail[0].loc[0], "body")
    })
  })
