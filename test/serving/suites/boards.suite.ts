import { assert, beforeAll, describe, it } from "@effect/vitest"
import { openApi } from "@trunkline/http-api"
import { testInteraction, testKeys } from "@trunkline/http-api/testing"
import { type Json, problems, type SendOptions, sendRequest, type TestResponse } from "../Client.js"
import { served, type Way } from "../Ways.js"

const base = "/api/analytics/v1/acme/main"

/** A route and a valid request. Names in braces are replaced by ids that `beforeAll` creates. */
interface Row {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status?: number
}

const sql = "SELECT app_id, count(*) AS calls FROM EngagementFactsBoardsView GROUP BY app_id"

const widget = { name: "Calls", sql, viz_type: "bar", viz_config: { x_axis: "app_id", y_axis: ["calls"] } }

const filtered = {
  name: "Calls of one agent",
  sql:
    "SELECT count(*) FROM EngagementFactsBoardsView WHERE effective_datetime >= {{since}} [[AND app_id = {{agent}}]]",
  filters: [
    { internal_name: "since", display_label: "Since", filter_type: "date", default_value: "2020-01-01" },
    { internal_name: "agent", filter_type: "string" }
  ]
}

const rule = {
  widget_id: "{widget_id}",
  cron: "0 9 * * MON",
  name: "Mondays",
  slack_webhook_url: "https://hooks.slack.com/services/T0/B0/quiet",
  slack_channel_name: "#calls"
}

const board = `${base}/boards/{board_id}`

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

const filled = (text: string, ids: Readonly<Record<string, string>>) =>
  text.replaceAll(/\{(\w+)\}/g, (token, name) => ids[name] ?? token)

/** Boards over HTTP: a valid request for every route, every rejection, and the lifecycle of a board. */
export const boardsSuite = (way: Way) =>
  describe(`boards over ${way.name}`, () => {
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

    it("creates, fills, runs, reports and removes a board", async () => {
      const made = await sendRequest(server, `${base}/boards`, { method: "POST", body: { name: "Life", tag: "demo" } })
      assert.strictEqual(made.status, 200, made.text)
      assert.deepStrictEqual(made.json.tabs.map(({ name }: Json) => name), ["Main"])
      assert.deepStrictEqual(made.json.created_by, { type: "api_key", id: "main" })
      const here = `${base}/boards/${made.json.id}`
      fails(
        await sendRequest(server, `${base}/boards`, { method: "POST", body: { name: " Life " } }),
        400,
        "DUPLICATE_NAME"
      )

      const calls = (await sendRequest(server, `${here}/widgets`, { method: "POST", body: widget })).json
      const one = (await sendRequest(server, `${here}/widgets`, { method: "POST", body: filtered })).json
      assert.deepStrictEqual(one.filters.map(({ internal_name }: Json) => internal_name), ["since", "agent"])

      const ran = await sendRequest(server, `${here}/widgets/${calls.id}/run`, { method: "POST", body: {} })
      assert.deepStrictEqual(ran.json.rows, [["collections", 2], ["reminders", 1]])
      assert.deepStrictEqual(ran.json.columns.map(({ name }: Json) => name), ["app_id", "calls"])
      assert.isFalse(ran.json.truncated)

      const tab = await sendRequest(server, `${here}/tabs/${made.json.tabs[0].id}/run`, {
        method: "POST",
        body: { filter_values: { agent: { filter_type: "string", value: "reminders" } } }
      })
      assert.deepStrictEqual(tab.json.results.map(({ status }: Json) => status), ["ok", "ok"])
      assert.deepStrictEqual(tab.json.results[1].rows, [[1]])
      assert.deepStrictEqual(tab.json.filter_values_used, { since: "2020-01-01", agent: "reminders" })

      const notify = { ...rule, widget_id: calls.id, cron: "30 9 * * *" }
      const told = await sendRequest(server, `${here}/notifications`, { method: "POST", body: notify })
      assert.strictEqual(told.status, 201, told.text)
      assert.isTrue(told.json.slack_configured)
      assert.notInclude(told.text, "quiet")
      const often = await sendRequest(server, `${here}/notifications`, {
        method: "POST",
        body: { ...notify, cron: "*/30 * * * *" }
      })
      fails(often, 400, "CRON_TOO_FREQUENT")

      assert.deepStrictEqual((await sendRequest(server, here, { method: "DELETE" })).json, {
        id: made.json.id,
        deleted: true
      })
      fails(await sendRequest(server, `${here}/notifications/${told.json.rule_id}`), 404, "NOT_FOUND")
    })

    it("returns widgets with their filters everywhere, and accepts a returned record unchanged", async () => {
      const { id, tabs: [tab] } = await post(`${base}/boards`, { name: "Records" })
      const here = `${base}/boards/${id}`
      const made = await post(`${here}/widgets`, filtered)
      assert.deepStrictEqual(made.filters.map(({ id: _, ...filter }: Json) => filter), [
        {
          internal_name: "since",
          display_label: "Since",
          filter_type: "date",
          default_value: "2020-01-01",
          options: [],
          is_required: false
        },
        {
          internal_name: "agent",
          display_label: "agent",
          filter_type: "string",
          default_value: null,
          options: [],
          is_required: false
        }
      ])
      assert.deepStrictEqual(made.filters, (await sendRequest(server, `${here}/filters`)).json.filters)

      const unstamped = ({ updated_at: _, ...record }: Json) => record
      const patched = await sendRequest(server, `${here}/widgets/${made.id}`, { method: "PATCH", body: made })
      assert.strictEqual(patched.status, 200, patched.text)
      assert.deepStrictEqual(unstamped(patched.json), unstamped(made))
      const renamed = await sendRequest(server, `${here}/tabs/${tab.id}`, {
        method: "PATCH",
        body: { name: "Records" }
      })
      assert.deepStrictEqual(renamed.json.widgets, [patched.json])
      assert.deepStrictEqual((await sendRequest(server, here)).json.tabs, [renamed.json])
      const moved = await sendRequest(server, here, { method: "PATCH", body: { tag: "records" } })
      assert.deepStrictEqual(moved.json.tabs, [renamed.json])
    })

    it("shares one filter between widgets that use the same name", async () => {
      const { id } = await post(`${base}/boards`, { name: "Shared filters" })
      const here = `${base}/boards/${id}`
      const one = await post(`${here}/widgets`, filtered)
      const other = await post(`${here}/widgets`, { name: "Other", sql: "SELECT {{since}}" })
      assert.deepStrictEqual(other.filters, one.filters.slice(0, 1))
      const declaring = (change: object) => ({ filters: [{ ...other.filters[0], ...change }] })
      const patch = (change: object) =>
        sendRequest(server, `${here}/widgets/${other.id}`, { method: "PATCH", body: declaring(change) })

      fails(await patch({ filter_type: "string" }), 400, "INVALID_FILTER_VALUE")
      const number = { name: "Third", sql: "SELECT {{since}}", ...declaring({ filter_type: "number" }) }
      fails(await sendRequest(server, `${here}/widgets`, { method: "POST", body: number }), 400, "INVALID_FILTER_VALUE")

      const later = (await patch({ default_value: "2021-01-01" })).json.filters
      assert.deepStrictEqual(later, [{ ...other.filters[0], default_value: "2021-01-01" }])
      const { json: { filters, tabs: [{ widgets: [first] }] } } = await sendRequest(server, here)
      assert.deepStrictEqual(first.filters, [...later, one.filters[1]])
      assert.deepStrictEqual(filters, first.filters)
    })

    it("hides the facts of other workspaces", async () => {
      const preview = (path: string, key: string) => sendRequest(server, path, { method: "POST", body: { sql }, key })
      assert.deepStrictEqual((await preview(`${base}/query-preview`, testKeys.main)).json.rows.length, 2)
      const side = await preview("/api/analytics/v1/acme/side/query-preview", testKeys.side)
      assert.deepStrictEqual(side.json.rows, [["collections", 1]])
      const foreign = await preview("/api/analytics/v1/globex/main/query-preview", testKeys.foreign)
      assert.deepStrictEqual(foreign.json.rows, [])
    })

    it.each([
      ["DROP TABLE EngagementFactsBoardsView", "NOT_READ_ONLY"],
      ["SELECT 1; SELECT 2", "MULTIPLE_STATEMENTS"],
      ["SELECT * FROM sqlite_schema", "FORBIDDEN_TABLE"],
      ["SELECT * FROM calls", "FORBIDDEN_TABLE"],
      ["SELECT load_extension('x')", "FORBIDDEN_FUNCTION"],
      ["SELECT nothing FROM EngagementFactsBoardsView", "INVALID_SQL"],
      ["SELECT {{missing}}", "MISSING_FILTER_VALUE"],
      ["SELECT '{{", "INVALID_SQL"]
    ])("refuses %s with %s, when it is tried and when it is saved", async (sql, code) => {
      fails(await sendRequest(server, `${base}/query-preview`, { method: "POST", body: { sql } }), 400, code)
      if (code === "MISSING_FILTER_VALUE") return
      const saved = await sendRequest(server, filled(`${board}/widgets`, ids), {
        method: "POST",
        body: { name: "Bad", sql }
      })
      fails(saved, 400, code)
    })

    it("reports the row limit, and truncation", async () => {
      const ask_ = (row_limit: unknown) =>
        sendRequest(server, `${base}/query-preview`, {
          method: "POST",
          body: { sql: "VALUES (1), (2), (3)", row_limit }
        })
      assert.deepStrictEqual((await ask_(2)).json, {
        columns: [{ name: "column1" }],
        rows: [[1], [2]],
        truncated: true
      })
      assert.isFalse((await ask_(3)).json.truncated)
      for (const wrong of [0, 10_001, 1.5, "3"]) {
        assert.deepStrictEqual(problems(await ask_(wrong)).map(([loc]: Json) => loc), [["body", "row_limit"]])
      }
    })

    it("runs widgets and tabs without a body", async () => {
      for (const path of [`${board}/widgets/{widget_id}/run`, `${board}/tabs/{tab_id}/run`]) {
        const answer = await sendRequest(server, filled(path, ids), { method: "POST" })
        assert.strictEqual(answer.status, 200, answer.text)
      }
    })

    it("ignores an empty filter_values when it renders a widget", async () => {
      const { status, text } = await sendRequest(
        server,
        filled(`${board}/widgets/{widget_id}/chart.svg?filter_values=`, ids)
      )
      assert.strictEqual(status, 200, text.slice(0, 300))
    })

    it("uses only X-API-Key if present, and otherwise accepts the other key headers", async () => {
      const strange = { authorization: "Bearer not-one-of-ours" }
      const asked = (key: string | null, headers: Record<string, string>) =>
        sendRequest(server, `${base}/boards`, { key, headers })
      assert.strictEqual((await asked("sk_test_main_wrong", { ...strange, "x-api-key": testKeys.main })).status, 200)
      fails(await asked(testKeys.main, { "x-api-key": "sk_test_main_wrong" }), 401, "UNAUTHORIZED")
      assert.strictEqual((await asked(testKeys.main, strange)).status, 200)
      assert.strictEqual((await asked(null, { authorization: `Bearer ${testKeys.main}` })).status, 200)
    })

    it("names the key header when the key is missing", async () => {
      const { json } = await sendRequest(server, `${base}/boards`, { key: null })
      assert.include(json.error.message, "X-API-Key")
    })

    it("serves stored recordings, and responds with 404 without one", async () => {
      const answer = await sendRequest(server, `/analytics/v1/acme/main/collections/recordings/${testInteraction}`)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.strictEqual(answer.headers.get("content-type"), "audio/wav")
      assert.match(answer.text, /^RIFF/)
    })
  })
