import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testInteraction, testKeys } from "@trunkline/http-api/testing"
import { type Json, problems, sendRequest, type TestResponse } from "../Client.js"
import { base, board, filled, filtered, rule, sql, widget } from "../requests/BoardRequests.js"
import { served, type Way } from "../Ways.js"

/** Lifecycle, results and keys of boards over HTTP. */
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

    const fails = (answer: TestResponse, status: number, code: string) => {
      assert.strictEqual(answer.status, status, answer.text)
      assert.deepStrictEqual(Object.keys(answer.json), ["error"])
      assert.deepStrictEqual(Object.keys(answer.json.error).sort(), ["code", "message"])
      assert.strictEqual(answer.json.error.code, code)
      assert.notMatch(answer.text, /\bat .*\.[jt]s:\d+|node_modules/)
    }

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

    it("draws a widget in the size that is asked, and says what is no size and no age", async () => {
      const drawn = (query: string) =>
        sendRequest(server, filled(`${board}/widgets/{widget_id}/chart.svg?${query}`, ids))
      const { status, text } = await drawn("width=342&height=260&max_age=0")
      assert.strictEqual(status, 200, text.slice(0, 300))
      assert.match(text, /^<svg(?=[^>]* width="342")(?=[^>]* height="260")/)
      assert.strictEqual((await drawn("width=&height=&max_age=")).status, 200)
      const wrong = ["width=239", "width=1601", "height=159", "height=1201", "width=wide", "max_age=61", "max_age=-1"]
      for (const query of wrong) {
        const [name = ""] = query.split("=")
        assert.deepStrictEqual(problems(await drawn(query)).map(([loc]: Json) => loc), [["query", name]], query)
      }
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
