import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Resources, TrunklineClient, TrunklineError } from "@trunkline/client"
import { testInteraction, testKeys } from "@trunkline/http-api/testing"
import { type Json, problems, sendRequest, type TestResponse } from "../Client.js"
import { issuesOf, refusal, type Remote, remoteOf } from "../Remote.js"
import { base, board, filled, filtered, rule, sql, widget } from "../requests/BoardRequests.js"
import { served, type Way } from "../Ways.js"

type Board = Awaited<ReturnType<Resources["boards"]["create"]>>

const first = <A>([item]: ReadonlyArray<A>): A => {
  if (item === undefined) throw new Error("There is none")
  return item
}

const firstTab = ({ tabs }: Pick<Board, "tabs">) => first(tabs)

/**
 * Lifecycle, results and keys of boards. Raw requests are left where the wire is the subject: headers of keys, texts of queries,
 * values that no type allows, and requests without a body.
 */
export const boardsSuite = (way: Way) =>
  describe(`boards over ${way.name}`, () => {
    const server = served(way)
    let trunkline: TrunklineClient
    let last: Remote["last"]

    let ids: Readonly<Record<string, string>>

    beforeAll(async () => {
      ;({ last, trunkline } = remoteOf(server))
      const made = await trunkline.boards.create({ name: "Rows" })
      const { id: widget_id } = await trunkline.boards.createWidget(made.id, widget)
      await trunkline.boards.createWidget(made.id, filtered)
      ids = { board_id: made.id, tab_id: firstTab(made).id, widget_id }
    })

    const refuses = (answer: Pick<TestResponse, "status" | "text">, status: number, code: string) => {
      assert.strictEqual(answer.status, status, answer.text)
      const json: Json = JSON.parse(answer.text)
      assert.deepStrictEqual(Object.keys(json), ["error"])
      assert.deepStrictEqual(Object.keys(json.error).sort(), ["code", "message"])
      assert.strictEqual(json.error.code, code)
      assert.notMatch(answer.text, /\bat .*\.[jt]s:\d+|node_modules/)
    }

    /** Checks how the client reads a refusal, and what was on the wire. */
    const fails = async (work: Promise<unknown>, status: number, code: string): Promise<TrunklineError> => {
      const failure = await refusal(work)
      assert.deepStrictEqual([failure.status, failure.code], [status, code])
      refuses(last(), status, code)
      return failure
    }

    it("creates, fills, runs, reports and removes a board", async () => {
      const { boards, notifications } = trunkline
      const made = await boards.create({ name: "Life", tag: "demo" })
      assert.strictEqual(last().status, 200)
      assert.deepStrictEqual(made.tabs.map(({ name }) => name), ["Main"])
      assert.deepStrictEqual(made.created_by, { type: "api_key", id: "main" })
      await fails(boards.create({ name: " Life " }), 400, "DUPLICATE_NAME")

      const calls = await boards.createWidget(made.id, widget)
      const one = await boards.createWidget(made.id, filtered)
      assert.deepStrictEqual(one.filters.map(({ internal_name }) => internal_name), ["since", "agent"])

      const ran = await boards.runWidget(made.id, calls.id, {})
      assert.deepStrictEqual(ran.rows, [["collections", 2], ["reminders", 1]])
      assert.deepStrictEqual(ran.columns.map(({ name }) => name), ["app_id", "calls"])
      assert.isFalse(ran.truncated)

      const tab = await boards.runTab(made.id, firstTab(made).id, {
        filter_values: { agent: { filter_type: "string", value: "reminders" } }
      })
      assert.deepStrictEqual(tab.results.map(({ status }) => status), ["ok", "ok"])
      assert.deepStrictEqual(Reflect.get(tab.results[1] ?? {}, "rows"), [[1]])
      assert.deepStrictEqual(tab.filter_values_used, { since: "2020-01-01", agent: "reminders" })

      const notify = { ...rule, widget_id: calls.id, cron: "30 9 * * *" }
      const told = await notifications.create(made.id, notify)
      assert.strictEqual(last().status, 201)
      assert.isTrue(told.slack_configured)
      assert.notInclude(last().text, "quiet")
      await fails(notifications.create(made.id, { ...notify, cron: "*/30 * * * *" }), 400, "CRON_TOO_FREQUENT")

      assert.deepStrictEqual(await boards.remove(made.id), { id: made.id, deleted: true })
      await fails(notifications.get(made.id, told.rule_id), 404, "NOT_FOUND")
    })

    it("returns widgets with their filters everywhere, and accepts a returned record unchanged", async () => {
      const { boards } = trunkline
      const created = await boards.create({ name: "Records" })
      const made = await boards.createWidget(created.id, filtered)
      assert.deepStrictEqual(made.filters.map(({ id: _, ...filter }) => filter), [
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
      assert.deepStrictEqual(made.filters, (await boards.filters(created.id)).filters)

      const unstamped = ({ updated_at: _, ...record }: typeof made) => record
      const patched = await boards.updateWidget(created.id, made.id, made)
      assert.strictEqual(last().status, 200)
      assert.deepStrictEqual(unstamped(patched), unstamped(made))
      const renamed = await boards.updateTab(created.id, firstTab(created).id, { name: "Records" })
      assert.deepStrictEqual(renamed.widgets, [patched])
      assert.deepStrictEqual((await boards.get(created.id)).tabs, [renamed])
      const moved = await boards.update(created.id, { tag: "records" })
      assert.deepStrictEqual(moved.tabs, [renamed])
    })

    it("shares one filter between widgets that use the same name", async () => {
      const { boards } = trunkline
      const { id } = await boards.create({ name: "Shared filters" })
      const one = await boards.createWidget(id, filtered)
      const other = await boards.createWidget(id, { name: "Other", sql: "SELECT {{since}}" })
      assert.deepStrictEqual(other.filters, one.filters.slice(0, 1))
      const shared = first(other.filters)
      const declaring = (change: Partial<typeof shared>) => ({ filters: [{ ...shared, ...change }] })
      const patch = (change: Partial<typeof shared>) => boards.updateWidget(id, other.id, declaring(change))

      await fails(patch({ filter_type: "string" }), 400, "INVALID_FILTER_VALUE")
      const number = { name: "Third", sql: "SELECT {{since}}", ...declaring({ filter_type: "number" }) }
      await fails(boards.createWidget(id, number), 400, "INVALID_FILTER_VALUE")

      const later = (await patch({ default_value: "2021-01-01" })).filters
      assert.deepStrictEqual(later, [{ ...shared, default_value: "2021-01-01" }])
      const { filters, ...rest } = await boards.get(id)
      const [shown] = firstTab(rest).widgets
      assert.deepStrictEqual(shown?.filters, [...later, ...one.filters.slice(1)])
      assert.deepStrictEqual(filters, shown?.filters)
    })

    it("hides the facts of other workspaces", async () => {
      const preview = async (key: string, workspace: string) =>
        (await remoteOf(server, { key, workspace }).trunkline.boards.preview({ sql })).rows
      assert.lengthOf(await preview(testKeys.main, "acme/main"), 2)
      assert.deepStrictEqual(await preview(testKeys.side, "acme/side"), [["collections", 1]])
      assert.deepStrictEqual(await preview(testKeys.foreign, "globex/main"), [])
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
      await fails(trunkline.boards.preview({ sql }), 400, code)
      if (code === "MISSING_FILTER_VALUE") return
      await fails(trunkline.boards.createWidget(ids["board_id"] ?? "", { name: "Bad", sql }), 400, code)
    })

    it("reports the row limit, and truncation", async () => {
      const preview = (row_limit: number) => trunkline.boards.preview({ sql: "VALUES (1), (2), (3)", row_limit })
      assert.deepStrictEqual(await preview(2), { columns: [{ name: "column1" }], rows: [[1], [2]], truncated: true })
      assert.isFalse((await preview(3)).truncated)
      for (const wrong of [0, 10_001, 1.5]) {
        assert.deepStrictEqual(issuesOf(await refusal(preview(wrong))).map(([loc]) => loc), [["row_limit"]])
      }
      const text = { sql: "VALUES (1)", row_limit: "3" }
      const wrong = await sendRequest(server, `${base}/query-preview`, { method: "POST", body: text })
      assert.deepStrictEqual(problems(wrong).map(([loc]) => loc), [["body", "row_limit"]])
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
      refuses(await asked(testKeys.main, { "x-api-key": "sk_test_main_wrong" }), 401, "UNAUTHORIZED")
      assert.strictEqual((await asked(testKeys.main, strange)).status, 200)
      assert.strictEqual((await asked(null, { authorization: `Bearer ${testKeys.main}` })).status, 200)
    })

    it("names the key header when the key is missing", async () => {
      const { json } = await sendRequest(server, `${base}/boards`, { key: null })
      assert.include(json.error.message, "X-API-Key")
    })

    it("serves stored recordings, and responds with 404 without one", async () => {
      const sound = await trunkline.analytics.recording("collections", testInteraction)
      assert.strictEqual(sound.contentType, "audio/wav")
      assert.match(Buffer.from(await sound.bytes()).toString("latin1"), /^RIFF/)
    })
  })
