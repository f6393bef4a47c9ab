import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { DateTime, Effect } from "effect"
import { Board, BoardId, Boards, BoardStore, FilterId, maxBoards, TabId, WidgetId } from "../../src/index.js"
import { asha, boards, bodies, codeOf, key, newBoard, otherScope, scope, widgetBody } from "./Fixtures.js"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe("a board", () => {
  virtualTest("starts with one empty tab named Main and records its creator", () =>
    Effect.gen(function*() {
      const { board, get } = yield* newBoard
      assert.deepInclude(board, { name: "Daily", tag: null, filters: [], created_by: asha, updated_by: asha })
      assert.deepStrictEqual(board.updated_at, board.created_at)
      assert.deepStrictEqual(board.tabs.map(({ name, position, widgets }) => [name, position, widgets]), [[
        "Main",
        0,
        []
      ]])
      assert.match(board.id, uuid)
      assert.match(board.tabs.map(({ id }) => id).join(), uuid)
      assert.deepStrictEqual(yield* get, board)
    }).pipe(Effect.provide(boards())))

  virtualTest("is listed as a summary, last changed first, in pages", () =>
    Effect.gen(function*() {
      const service = yield* Boards
      const boardIds: Array<string> = []
      for (const name of ["a", "b", "c"]) {
        boardIds.push((yield* service.create(scope, bodies.board({ name }), asha)).id)
        yield* BusinessTime.sleep("1 second")
      }
      yield* service.createTab(scope, BoardId.make(boardIds[0] ?? ""), bodies.tab({ name: "Second" }), key)
      const { items, total } = yield* service.list(scope, { limit: 2, offset: 0 })
      assert.deepStrictEqual([total, ...items.map(({ name }) => name)], [3, "a", "c"])
      assert.notProperty(items[0], "tabs")
      assert.deepInclude(items[0], { updated_by: key, created_by: asha })
      const rest = yield* service.list(scope, { limit: 2, offset: 2 })
      assert.deepStrictEqual([rest.total, ...rest.items.map(({ name }) => name)], [3, "b"])
      assert.deepStrictEqual(yield* service.list(otherScope, { limit: 2, offset: 0 }), { items: [], total: 0 })
    }).pipe(Effect.provide(boards())))

  virtualTest("has a unique name in its workspace, compared exactly after trimming", () =>
    Effect.gen(function*() {
      const { id, service } = yield* newBoard
      const create = (name: string) => service.create(scope, bodies.board({ name }), asha)
      assert.strictEqual(codeOf(yield* Effect.flip(create(" Daily "))), "DUPLICATE_NAME")
      const other = yield* create("daily")
      yield* service.create(otherScope, bodies.board({ name: "Daily" }), asha)
      const rename = (name: string) => service.patch(scope, other.id, bodies.boardPatch({ name }), asha)
      assert.strictEqual(codeOf(yield* Effect.flip(rename("Daily"))), "DUPLICATE_NAME")
      assert.strictEqual((yield* service.get(scope, other.id)).name, "daily")
      assert.strictEqual((yield* rename("daily")).name, "daily")
      yield* service.remove(scope, id)
      assert.strictEqual((yield* rename("Daily")).name, "Daily")
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "is changed field by field with an updated stamp: null clears the tag and leaves the name",
    () =>
      Effect.gen(function*() {
        const { board, get, id, service } = yield* newBoard
        const patch = (body: object) =>
          Effect.zipRight(BusinessTime.sleep("1 minute"), service.patch(scope, id, bodies.boardPatch(body), key))
        const tagged = yield* patch({ tag: "weekly" })
        assert.deepInclude(tagged, { name: "Daily", tag: "weekly", created_by: asha, updated_by: key })
        assert.deepStrictEqual(tagged.created_at, board.created_at)
        assert.strictEqual(DateTime.distance(board.updated_at, tagged.updated_at), 60_000)
        const renamed = yield* patch({ name: "Weekly" })
        assert.deepInclude(renamed, { name: "Weekly", tag: "weekly" })
        const cleared = yield* patch({ name: null, tag: null })
        assert.deepInclude(cleared, { name: "Weekly", tag: null })
        assert.strictEqual(DateTime.distance(board.updated_at, cleared.updated_at), 180_000)
        assert.deepStrictEqual(yield* get, cleared)
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("is not changed by an empty PATCH", () =>
    Effect.gen(function*() {
      const { board, get, id, service } = yield* newBoard
      yield* BusinessTime.sleep("1 minute")
      for (const body of [{}, { name: null }, { colour: "red" }]) {
        assert.deepStrictEqual(yield* service.patch(scope, id, bodies.boardPatch(body), key), board)
      }
      assert.deepStrictEqual(yield* get, board)
    }).pipe(Effect.provide(boards())))

  virtualTest("cannot be found after removal", () =>
    Effect.gen(function*() {
      const { get, id, service } = yield* newBoard
      yield* service.remove(scope, id)
      assert.strictEqual((yield* Effect.flip(get)).resource, "board")
      assert.strictEqual((yield* Effect.flip(service.remove(scope, id))).resource, "board")
      assert.strictEqual((yield* service.list(scope, { limit: 1, offset: 0 })).total, 0)
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "of another workspace is not found, nor is anything on it",
    () =>
      Effect.gen(function*() {
        const { get, id, main, service } = yield* newBoard
        const widget = yield* service.createWidget(scope, id, widgetBody({ sql: "select {{a}}" }), asha)
        const before = yield* get
        const tab_id = main.id
        const filter_id = before.filters[0]?.id ?? FilterId.make("")
        const failures = yield* Effect.all([
          Effect.flip(service.get(otherScope, id)),
          Effect.flip(service.patch(otherScope, id, bodies.boardPatch({ name: "Mine" }), key)),
          Effect.flip(service.remove(otherScope, id)),
          Effect.flip(service.createTab(otherScope, id, bodies.tab({ name: "Mine" }), key)),
          Effect.flip(service.patchTab(otherScope, id, tab_id, bodies.tabPatch({ name: "Mine" }), key)),
          Effect.flip(service.removeTab(otherScope, id, tab_id, key)),
          Effect.flip(service.createWidget(otherScope, id, widgetBody(), key)),
          Effect.flip(service.patchWidget(otherScope, id, widget.id, bodies.widgetPatch({ name: "Mine" }), key)),
          Effect.flip(service.removeWidget(otherScope, id, widget.id, key)),
          Effect.flip(service.widget(otherScope, id, widget.id)),
          Effect.flip(service.filters(otherScope, id)),
          Effect.flip(
            service.patchFilter(otherScope, id, filter_id, bodies.filterPatch({ display_label: "Mine" }), key)
          )
        ])
        assert.deepStrictEqual(new Set(failures.map(codeOf)), new Set(["NotFound"]))
        assert.deepStrictEqual(yield* get, before)
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("reports a missing tab, widget or filter by kind", () =>
    Effect.gen(function*() {
      const { id, service } = yield* newBoard
      const other = yield* service.create(scope, bodies.board({ name: "Other" }), asha)
      const { id: widget_id } = yield* service.createWidget(scope, other.id, widgetBody(), asha)
      const tab_id = other.tabs[0]?.id ?? TabId.make("")
      const failures = yield* Effect.all([
        Effect.flip(service.patchTab(scope, id, tab_id, bodies.tabPatch({}), key)),
        Effect.flip(service.removeTab(scope, id, tab_id, key)),
        Effect.flip(service.createWidget(scope, id, widgetBody({ tab_id }), key)),
        Effect.flip(service.patchWidget(scope, id, widget_id, bodies.widgetPatch({}), key)),
        Effect.flip(service.removeWidget(scope, id, WidgetId.make("none"), key)),
        Effect.flip(service.widget(scope, id, widget_id)),
        Effect.flip(service.patchFilter(scope, id, FilterId.make("none"), bodies.filterPatch({}), key))
      ])
      assert.deepStrictEqual(failures.map((failure) => "resource" in failure ? failure.resource : failure._tag), [
        "tab",
        "tab",
        "tab",
        "widget",
        "widget",
        "widget",
        "filter"
      ])
    }).pipe(Effect.provide(boards())))

  virtualTest("is rejected when the workspace has the maximum number", () =>
    Effect.gen(function*() {
      const { board, service } = yield* newBoard
      const store = yield* BoardStore
      for (let count = 1; count < maxBoards; count++) {
        yield* store.put(scope, new Board({ ...board, id: BoardId.make(`${count}`), name: `Board ${count}`, tabs: [] }))
      }
      const create = service.create(scope, bodies.board({ name: "Another" }), asha)
      assert.strictEqual(codeOf(yield* Effect.flip(create)), "RESOURCE_LIMIT")
      yield* service.remove(scope, board.id)
      yield* create
      yield* service.create(otherScope, bodies.board({ name: "Board" }), asha)
    }).pipe(Effect.provide(boards())))
})
