import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Boards, BoardStore, WidgetDependents, type WidgetId } from "../../src/index.js"
import { asha, boards, bodies, key, namesOf, newBoard, scope, widgetBody, yieldingStore } from "./Fixtures.js"

/** Boards whose check of SQL containing `slow` signals `startSignal` and waits for `go`. */
const slowSqlCheck = Effect.gen(function*() {
  const [startSignal, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const preparing = (sql: string) =>
    sql.includes("slow") ? Effect.zipRight(Deferred.succeed(startSignal, undefined), Deferred.await(go)) : Effect.void
  return { startSignal, go, layer: boards({ preparing }) }
})

describe("concurrent changes", () => {
  virtualTest("are all applied: no tab or widget is lost", () =>
    Effect.gen(function*() {
      const { get, id, service } = yield* newBoard
      const names = Array.from({ length: 10 }, (_, index) => `${index}`)
      yield* Effect.forEach(names, (name) =>
        Effect.all([
          service.createTab(scope, id, bodies.tab({ name }), asha),
          service.createWidget(scope, id, widgetBody({ name, sql: `select ${name}, {{f${name}}}` }), asha)
        ], { concurrency: "unbounded" }), { concurrency: "unbounded" })
      const { filters, tabs } = yield* get
      assert.sameMembers(tabs.map(({ name }) => name), ["Main", ...names])
      assert.sameMembers(tabs[0]?.widgets.map(({ name }) => name) ?? [], names)
      assert.sameMembers(filters.map(({ internal_name }) => internal_name), names.map((name) => `f${name}`))
    }).pipe(Effect.provide(boards({ store: yieldingStore, preparing: () => Effect.yieldNow() }))))

  virtualTest(
    "do not wait for another change's SQL check, and are not lost by it",
    () =>
      Effect.gen(function*() {
        const { startSignal, go, layer } = yield* slowSqlCheck
        yield* Effect.gen(function*() {
          const { get, id, service } = yield* newBoard
          const { id: widget_id } = yield* service.createWidget(scope, id, widgetBody({ name: "before" }), asha)
          const patch = service.patchWidget(
            scope,
            id,
            widget_id,
            bodies.widgetPatch({ sql: "select slow, {{a}}" }),
            asha
          )
          const slow = yield* Effect.fork(patch)
          yield* Deferred.await(startSignal)
          yield* service.patch(scope, id, bodies.boardPatch({ name: "Renamed" }), key)
          yield* service.patchWidget(scope, id, widget_id, bodies.widgetPatch({ name: "renamed", position: 0 }), key)
          yield* service.createWidget(scope, id, widgetBody({ name: "another" }), key)
          yield* Deferred.succeed(go, undefined)
          const saved = yield* Fiber.join(slow)
          assert.deepInclude(saved, { name: "renamed", sql: "select slow, {{a}}" })
          assert.deepStrictEqual(namesOf(saved.filters), ["a"])
          const after = yield* get
          assert.strictEqual(after.name, "Renamed")
          assert.deepStrictEqual(after.tabs[0]?.widgets.map(({ name }) => name), ["renamed", "another"])
          assert.deepStrictEqual(namesOf(after.filters), ["a"])
        }).pipe(Effect.provide(layer))
      })
  )

  virtualTest("that remove the tab or widget being saved make it fail with NotFound", () =>
    Effect.gen(function*() {
      const { startSignal, go, layer } = yield* slowSqlCheck
      yield* Effect.gen(function*() {
        const { get, id, service } = yield* newBoard
        const { id: tab_id } = yield* service.createTab(scope, id, bodies.tab({ name: "Second" }), asha)
        const slow = yield* Effect.fork(
          service.createWidget(scope, id, widgetBody({ tab_id, sql: "select slow" }), asha)
        )
        yield* Deferred.await(startSignal)
        yield* service.removeTab(scope, id, tab_id, key)
        yield* Deferred.succeed(go, undefined)
        assert.deepInclude(yield* Effect.flip(Fiber.join(slow)), { _tag: "NotFound", resource: "tab" })
        assert.deepStrictEqual((yield* get).tabs.flatMap(({ widgets }) => widgets), [])
      }).pipe(Effect.provide(layer))
    }))

  virtualTest("that change a filter's type make the SQL be prepared again", () =>
    Effect.gen(function*() {
      const [startSignal, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const prepared: Array<string> = []
      const preparing = (sql: string) =>
        Effect.gen(function*() {
          if (!sql.includes("slow")) return
          prepared.push(sql.replace(/\s+/g, " ").trim())
          yield* Deferred.succeed(startSignal, undefined)
          yield* Deferred.await(go)
        })
      yield* Effect.gen(function*() {
        const { id, service } = yield* newBoard
        yield* service.createWidget(scope, id, widgetBody({ sql: "select {{a}}" }), asha)
        const slow = yield* Effect.fork(
          service.createWidget(scope, id, widgetBody({ sql: "select slow between {{a}}" }), asha)
        )
        yield* Deferred.await(startSignal)
        const [filter] = yield* service.filters(scope, id)
        assert.isDefined(filter)
        yield* service.patchFilter(scope, id, filter.id, bodies.filterPatch({ filter_type: "date_range" }), key)
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(slow)
        assert.deepStrictEqual(prepared, ["select slow between ?", "select slow between ? AND ?"])
      }).pipe(Effect.provide(boards({ preparing })))
    }))
})

describe("dependents of widgets", () => {
  const dependents = (removed: (ids: ReadonlyArray<WidgetId>) => Effect.Effect<void>) =>
    Layer.succeed(WidgetDependents, { onWidgetsRemoved: (_, __, widget_ids) => removed(widget_ids) })

  const notified: Array<ReadonlyArray<WidgetId>> = []
  const recording = boards({ dependents: dependents((ids) => Effect.sync(() => notified.push(ids))) })

  virtualTest("are notified when a widget, its tab or its board is removed", () =>
    Effect.gen(function*() {
      const { id, main, service } = yield* newBoard
      const second = yield* service.createTab(scope, id, bodies.tab({ name: "Second" }), asha)
      const create = (tab_id: string | null) =>
        Effect.map(service.createWidget(scope, id, widgetBody({ tab_id }), asha), ({ id }) => id)
      const [a, b] = [yield* create(null), yield* create(null)]
      const [c, d] = [yield* create(second.id), yield* create(second.id)]
      yield* service.patchWidget(scope, id, d, bodies.widgetPatch({ tab_id: main.id, sql: "select 2" }), asha)
      assert.deepStrictEqual(notified, [])
      yield* service.removeWidget(scope, id, a, asha)
      yield* service.removeTab(scope, id, second.id, asha)
      yield* service.remove(scope, id)
      assert.deepStrictEqual(notified, [[a], [c], [b, d]])
    }).pipe(Effect.provide(recording)))

  virtualTest("are removed in the same transaction", () =>
    Effect.gen(function*() {
      const { get, id, service } = yield* newBoard
      const widget = yield* service.createWidget(scope, id, widgetBody(), asha)
      const second = yield* service.createTab(scope, id, bodies.tab({ name: "Second" }), asha)
      yield* service.createWidget(scope, id, widgetBody({ tab_id: second.id }), asha)
      const before = yield* get
      yield* Effect.exit(service.removeWidget(scope, id, widget.id, asha))
      yield* Effect.exit(service.removeTab(scope, id, second.id, asha))
      yield* Effect.exit(service.remove(scope, id))
      assert.deepStrictEqual(yield* get, before)
      assert.strictEqual((yield* (yield* BoardStore).list(scope, { limit: 1, offset: 0 })).total, 1)
    }).pipe(Effect.provide(boards({ dependents: dependents(() => Effect.dieMessage("The store is broken")) }))))

  virtualTest("do nothing by default", () =>
    Effect.gen(function*() {
      const { id, service } = yield* newBoard
      yield* service.createWidget(scope, id, widgetBody(), asha)
      yield* service.remove(scope, id)
      assert.strictEqual((yield* (yield* Boards).list(scope, { limit: 1, offset: 0 })).total, 0)
    }).pipe(Effect.provide(boards())))
})
