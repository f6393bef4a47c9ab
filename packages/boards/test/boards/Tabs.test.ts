import { assert, describe } from "@effect/vitest"
import { BusinessTime } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { DateTime, Effect } from "effect"
import { type BoardRecord, maxTabs } from "../../src/index.js"
import { asha, boards, bodies, codeOf, key, newBoard, scope, widgetBody } from "./Fixtures.js"

const names = ({ tabs }: BoardRecord) => tabs.map(({ name }) => name)
const positions = ({ tabs }: BoardRecord) => tabs.map(({ position }) => position)

/** A board with the tabs Main, B and C. */
const threeTabs = Effect.gen(function*() {
  const { get, id, main, service } = yield* newBoard
  const create = (name: string) => service.createTab(scope, id, bodies.tab({ name }), asha)
  const [b, c] = [yield* create("B"), yield* create("C")]
  const patch = (tab: { readonly id: typeof b.id }, body: object) =>
    service.patchTab(scope, id, tab.id, bodies.tabPatch(body), key)
  return { id, service, get, main, b, c, create, patch }
})

describe("a tab", () => {
  virtualTest("is appended without widgets and stamps the board", () =>
    Effect.gen(function*() {
      const { board, get, id, service } = yield* newBoard
      yield* BusinessTime.sleep("1 minute")
      const tab = yield* service.createTab(scope, id, bodies.tab({ name: " Second " }), key)
      assert.deepInclude(tab, { name: "Second", position: 1, widgets: [] })
      const after = yield* get
      assert.deepStrictEqual(names(after), ["Main", "Second"])
      assert.deepStrictEqual(after.updated_by, key)
      assert.strictEqual(DateTime.distance(board.updated_at, after.updated_at), 60_000)
    }).pipe(Effect.provide(boards())))

  virtualTest("moves to a position while others make room; beyond the end means the end", () =>
    Effect.gen(function*() {
      const { b, c, get, main, patch } = yield* threeTabs
      const moved = yield* patch(c, { position: 0 })
      assert.deepInclude(moved, { name: "C", position: 0 })
      assert.deepStrictEqual(names(yield* get), ["C", "Main", "B"])
      assert.strictEqual((yield* patch(c, { position: 1_000 })).position, 2)
      assert.deepStrictEqual(names(yield* get), ["Main", "B", "C"])
      yield* patch(main, { position: 1 })
      assert.deepStrictEqual(names(yield* get), ["B", "Main", "C"])
      assert.deepInclude(yield* patch(b, { name: "Bee", position: 1 }), { name: "Bee", position: 1 })
      const after = yield* get
      assert.deepStrictEqual(names(after), ["Main", "Bee", "C"])
      assert.deepStrictEqual(positions(after), [0, 1, 2])
    }).pipe(Effect.provide(boards())))

  virtualTest("keeps its position and widgets when renamed", () =>
    Effect.gen(function*() {
      const { b, get, id, patch, service } = yield* threeTabs
      const widget = yield* service.createWidget(scope, id, widgetBody({ tab_id: b.id }), asha)
      assert.deepInclude(yield* patch(b, { name: "Renamed" }), { name: "Renamed", position: 1, widgets: [widget] })
      const after = yield* get
      assert.deepStrictEqual(names(after), ["Main", "Renamed", "C"])
      assert.deepStrictEqual(after.updated_by, key)
    }).pipe(Effect.provide(boards())))

  virtualTest(
    "is not changed by an empty PATCH with absent or null fields",
    () =>
      Effect.gen(function*() {
        const { b, get, patch } = yield* threeTabs
        const before = yield* get
        yield* BusinessTime.sleep("1 minute")
        assert.deepStrictEqual(yield* patch(b, {}), b)
        assert.deepStrictEqual(yield* patch(b, { name: null, position: null }), b)
        assert.deepStrictEqual(yield* get, before)
      }).pipe(Effect.provide(boards()))
  )

  virtualTest("is removed with its widgets and their filters, and later tabs close up", () =>
    Effect.gen(function*() {
      const { b, get, id, main, service } = yield* threeTabs
      const create = (tab_id: string, sql: string) => service.createWidget(scope, id, widgetBody({ tab_id, sql }), asha)
      yield* create(b.id, "select {{gone}}, {{both}}")
      const widget = yield* create(main.id, "select {{both}}, {{kept}}")
      yield* BusinessTime.sleep("1 minute")
      yield* service.removeTab(scope, id, b.id, key)
      const after = yield* get
      assert.deepStrictEqual([names(after), positions(after)], [["Main", "C"], [0, 1]])
      assert.deepStrictEqual(after.filters.map(({ internal_name }) => internal_name), ["both", "kept"])
      assert.deepStrictEqual(after.tabs[0]?.widgets, [widget])
      assert.deepStrictEqual(after.updated_by, key)
      assert.strictEqual((yield* Effect.flip(service.removeTab(scope, id, b.id, key)))._tag, "NotFound")
    }).pipe(Effect.provide(boards())))

  virtualTest("cannot be removed when it is the only one", () =>
    Effect.gen(function*() {
      const { b, c, get, id, main, service } = yield* threeTabs
      const remove = (tab: typeof b) => service.removeTab(scope, id, tab.id, key)
      yield* remove(main)
      yield* remove(c)
      assert.strictEqual(codeOf(yield* Effect.flip(remove(b))), "LAST_TAB")
      assert.deepStrictEqual(names(yield* get), ["B"])
    }).pipe(Effect.provide(boards())))

  virtualTest("is rejected when the board has the maximum number", () =>
    Effect.gen(function*() {
      const { create, get } = yield* threeTabs
      for (let count = 3; count < maxTabs; count++) yield* create("Again")
      assert.strictEqual(codeOf(yield* Effect.flip(create("Once more"))), "RESOURCE_LIMIT")
      assert.lengthOf((yield* get).tabs, maxTabs)
    }).pipe(Effect.provide(boards())))
})
