import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { DateTime, Effect } from "effect"
import {
  type BoardRecord,
  maxBoardLength,
  maxFilters,
  maxSqlBytes,
  maxWidgets,
  type WidgetId
} from "../../src/index.js"
import { asha, boards, bodies, codeOf, key, namesOf, newBoard, scope, widgetBody } from "./Fixtures.js"

const shown = ({ tabs }: BoardRecord) => tabs.map(({ widgets }) => widgets.map(({ name }) => name).join(""))
const positions = ({ tabs }: BoardRecord) => tabs.map(({ widgets }) => widgets.map(({ position }) => position).join(""))

const working = Effect.map(newBoard, (board) => ({
  ...board,
  create: (changes: Readonly<Record<string, unknown>> = {}) =>
    board.service.createWidget(scope, board.id, widgetBody(changes), asha),
  patch: (widget_id: WidgetId, body: object) =>
    board.service.patchWidget(scope, board.id, widget_id, bodies.widgetPatch(body), key)
}))

/** Widgets a, b and c on the first tab, d on the second. */
const twoTabs = Effect.gen(function*() {
  const board = yield* working
  const second = yield* board.service.createTab(scope, board.id, bodies.tab({ name: "Second" }), asha)
  const [a, b, c] = [
    yield* board.create({ name: "a" }),
    yield* board.create({ name: "b" }),
    yield* board.create({ name: "c" })
  ]
  const d = yield* board.create({ name: "d", tab_id: second.id })
  return { ...board, second, a, b, c, d }
})

describe("a widget", () => {
  virtualTest("defaults to a table on the first tab and stamps the board", () =>
    Effect.gen(function*() {
      const { board, create, get, id, main } = yield* working
      yield* BusinessTime.sleep("1 minute")
      const widget = yield* create({ name: " Calls ", sql: "select count(*) from EngagementFactsBoardsView" })
      assert.deepInclude(widget, {
        board_id: id,
        tab_id: main.id,
        position: 0,
        name: "Calls",
        sql: "select count(*) from EngagementFactsBoardsView",
        viz_type: "table",
        viz_config: {},
        filters: [],
        created_by: asha,
        updated_by: asha
      })
      assert.deepStrictEqual(widget.created_at, widget.updated_at)
      const after = yield* get
      assert.deepStrictEqual(after.tabs[0]?.widgets, [widget])
      assert.strictEqual(DateTime.distance(board.updated_at, after.updated_at), 60_000)
      assert.deepStrictEqual(after.updated_at, widget.updated_at)
    }).pipe(Effect.provide(boards())))

  virtualTest("keeps its SQL as written and unknown settings", () =>
    Effect.gen(function*() {
      const { create } = yield* working
      const sql = "-- per day\nselect 1 [[where a = {{ a }}]]"
      const viz_config = { x_axis: "day", y_axis: ["calls"], stacked: true }
      const widget = yield* create({ sql, viz_type: "bar", viz_config })
      assert.deepInclude(widget, { sql, viz_type: "bar", viz_config })
    }).pipe(Effect.provide(boards())))

  virtualTest("is appended to the tab that it names", () =>
    Effect.gen(function*() {
      const { create, get, second } = yield* twoTabs
      assert.strictEqual((yield* create({ name: "e", tab_id: second.id })).position, 1)
      assert.strictEqual((yield* create({ name: "f", tab_id: null })).position, 3)
      assert.deepStrictEqual(shown(yield* get), ["abcf", "de"])
    }).pipe(Effect.provide(boards())))

  virtualTest("moves within its tab and to others, which make room and close up", () =>
    Effect.gen(function*() {
      const { a, b, c, d, get, main: { id: main }, patch, second } = yield* twoTabs
      assert.deepInclude(yield* patch(c.id, { position: 0 }), { position: 0, tab_id: main })
      assert.deepStrictEqual(shown(yield* get), ["cab", "d"])
      assert.deepInclude(yield* patch(c.id, { position: 99 }), { position: 2 })
      assert.deepStrictEqual(shown(yield* get), ["abc", "d"])
      assert.deepInclude(yield* patch(a.id, { tab_id: second.id }), { position: 1, tab_id: second.id })
      assert.deepStrictEqual(shown(yield* get), ["bc", "da"])
      yield* patch(b.id, { tab_id: second.id, position: 0 })
      assert.deepStrictEqual(shown(yield* get), ["c", "bda"])
      yield* patch(d.id, { tab_id: main, position: 0, name: "D" })
      const after = yield* get
      assert.deepStrictEqual([shown(after), positions(after)], [["Dc", "ba"], ["01", "01"]])
      yield* patch(d.id, { tab_id: main, name: "d" })
      assert.deepStrictEqual(shown(yield* get), ["dc", "ba"])
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "is changed field by field and stamped with its board, but not its neighbours",
    () =>
      Effect.gen(function*() {
        const { a, b, get, patch } = yield* twoTabs
        yield* BusinessTime.sleep("1 minute")
        const changed = yield* patch(a.id, { name: "A", sql: "select 2" })
        assert.deepInclude(changed, { name: "A", sql: "select 2", viz_type: "table", position: 0, updated_by: key })
        assert.deepInclude(changed, { created_by: asha, created_at: a.created_at })
        assert.strictEqual(DateTime.distance(a.updated_at, changed.updated_at), 60_000)
        const after = yield* get
        assert.deepInclude(after, { updated_by: key, updated_at: changed.updated_at })
        assert.deepStrictEqual(after.tabs[0]?.widgets.slice(0, 2), [changed, b])
      }).pipe(Effect.provide(boards()))
  )

  virtualTest(
    "is not changed by an empty PATCH with absent or null fields",
    () =>
      Effect.gen(function*() {
        const { a, get, patch } = yield* twoTabs
        const before = yield* get
        yield* BusinessTime.sleep("1 minute")
        assert.deepStrictEqual(yield* patch(a.id, {}), a)
        const nothing = {
          name: null,
          sql: null,
          viz_type: null,
          viz_config: null,
          filters: null,
          tab_id: null,
          position: null
        }
        assert.deepStrictEqual(yield* patch(a.id, nothing), a)
        assert.deepStrictEqual(yield* get, before)
      }).pipe(Effect.provide(boards()))
  )

  virtualTest(
    "has its settings replaced as a whole, and they must fit the new visualization type",
    () =>
      Effect.gen(function*() {
        const { create, get, patch } = yield* working
        const { id } = yield* create({ viz_config: { colour: "red" } })
        const refused = yield* Effect.flip(patch(id, { viz_type: "bar" }))
        assert.deepStrictEqual(
          refused._tag === "Invalid" ? refused.issues.map(({ loc, type }) => [loc, type]) : [],
          [[["body", "viz_config", "x_axis"], "missing"], [["body", "viz_config", "y_axis"], "missing"]]
        )
        const axes = { x_axis: "day", y_axis: ["calls"] }
        assert.deepInclude(yield* patch(id, { viz_type: "bar", viz_config: axes }), {
          viz_type: "bar",
          viz_config: axes
        })
        assert.deepInclude(yield* patch(id, { viz_type: "line" }), { viz_type: "line", viz_config: axes })
        assert.strictEqual(
          (yield* Effect.flip(patch(id, { viz_config: { x_axis: "day", y_axis: [] } })))._tag,
          "Invalid"
        )
        assert.deepInclude(yield* patch(id, { viz_type: "table", viz_config: {} }), {
          viz_type: "table",
          viz_config: {}
        })
        const number = { value_column: 3 }
        assert.strictEqual((yield* Effect.flip(patch(id, { viz_type: "number", viz_config: number })))._tag, "Invalid")
        assert.deepStrictEqual((yield* get).tabs[0]?.widgets[0]?.viz_config, {})
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("is not saved with SQL that is malformed or does not prepare", () =>
    Effect.gen(function*() {
      const { create, get, patch } = yield* working
      const widget = yield* create()
      const before = yield* get
      for (const sql of ["select no_such_column", "select {{", "select '{{a}}' where {{a}}", "select :a"]) {
        assert.strictEqual(codeOf(yield* Effect.flip(create({ sql }))), "INVALID_SQL", sql)
        assert.strictEqual(codeOf(yield* Effect.flip(patch(widget.id, { sql }))), "INVALID_SQL", sql)
      }
      assert.strictEqual(codeOf(yield* Effect.flip(create({ sql: "drop table a" }))), "NOT_READ_ONLY")
      assert.deepStrictEqual(yield* get, before)
    }).pipe(Effect.provide(boards())))

  const preparations: Array<string> = []
  virtualTest("has only new SQL prepared, and only once", () =>
    Effect.gen(function*() {
      const { create, patch, service, id } = yield* working
      const widget = yield* create({ sql: "select 1" })
      yield* patch(widget.id, { name: "Renamed", position: 3 })
      yield* patch(widget.id, { sql: "select 2" })
      yield* service.createTab(scope, id, bodies.tab({ name: "Second" }), asha)
      yield* service.removeWidget(scope, id, widget.id, asha)
      assert.deepStrictEqual(preparations, ["select 1", "select 2"])
    }).pipe(Effect.provide(boards({ preparing: (sql) => Effect.sync(() => preparations.push(sql)) }))))

  virtualTest(
    "is removed with filters that no other widget uses, and later widgets close up",
    () =>
      Effect.gen(function*() {
        const { create, get, id, service } = yield* working
        const { id: widget_id } = yield* create({ name: "a", sql: "select {{gone}}, {{both}}" })
        yield* create({ name: "b", sql: "select {{both}}" })
        yield* service.removeWidget(scope, id, widget_id, key)
        const after = yield* get
        assert.deepStrictEqual([shown(after), positions(after)], [["b"], ["0"]])
        assert.deepStrictEqual(namesOf(after.filters), ["both"])
        assert.deepStrictEqual(after.updated_by, key)
        assert.strictEqual((yield* Effect.flip(service.removeWidget(scope, id, widget_id, key)))._tag, "NotFound")
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("is found with its board", () =>
    Effect.gen(function*() {
      const { d, get, id, service } = yield* twoTabs
      assert.deepStrictEqual(yield* service.widget(scope, id, d.id), { board: yield* get, widget: d })
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "is rejected when the tab has the maximum number, also when moved there",
    () =>
      Effect.gen(function*() {
        const { create, d, get, main, patch } = yield* twoTabs
        for (let count = 3; count < maxWidgets; count++) yield* create()
        assert.strictEqual(codeOf(yield* Effect.flip(create())), "RESOURCE_LIMIT")
        assert.strictEqual(codeOf(yield* Effect.flip(patch(d.id, { tab_id: main.id }))), "RESOURCE_LIMIT")
        assert.strictEqual((yield* patch(d.id, { name: "stays" })).name, "stays")
        assert.lengthOf((yield* get).tabs[0]?.widgets ?? [], maxWidgets)
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("is rejected when the board would hold too much text or too many filters", () =>
    Effect.gen(function*() {
      const { create, get } = yield* working
      const sql = `select 1 -- ${"x".repeat(maxSqlBytes - 20)}`
      for (let length = sql.length; length < maxBoardLength; length += sql.length) yield* create({ sql })
      const full = yield* Effect.flip(create({ sql }))
      assert.deepInclude(full, { code: "RESOURCE_LIMIT" })
      assert.include(full.message, "characters")
      const tokens = Array.from({ length: maxFilters + 1 }, (_, index) => `{{f${index}}}`)
      const many = yield* Effect.flip(create({ sql: `select ${tokens.join()}` }))
      assert.deepInclude(many, { code: "RESOURCE_LIMIT" })
      assert.include(many.message, "filters")
      yield* create({ sql: "select 2" })
      assert.deepStrictEqual((yield* get).filters, [])
    }).pipe(Effect.provide(boards())))
})
