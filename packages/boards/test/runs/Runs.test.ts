import { assert, describe, it } from "@effect/vitest"
import { BoardId, type FilterValues, Runs, TabId, WidgetId } from "@trunkline/boards"
import { meterReading } from "@trunkline/kernel/testing"
import { WarehouseBusy } from "@trunkline/warehouse"
import { Deferred, Duration, Effect, Fiber, TestClock } from "effect"
import { filter } from "../filters/Fixtures.js"
import {
  aDefault,
  boardId,
  boardOf,
  cell,
  codeOf,
  fakeWarehouse,
  otherScope,
  refusal,
  runsOver,
  saveBoard,
  scope,
  tabId,
  twoWidgets,
  valueOfA,
  widgetId,
  withA
} from "./Fixtures.js"

describe("Runs.preview", () => {
  it.effect("binds typed values and caches nothing", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const runs = yield* Runs
      const run = { sql: withA, filter_values: valueOfA("v"), row_limit: 7 }
      assert.deepStrictEqual(yield* runs.preview(scope, run), cell("x"))
      yield* runs.preview(scope, run)
      assert.deepStrictEqual(queries.map(({ maxRows, parameters }) => [parameters, maxRows]), [[["v"], 7], [["v"], 7]])
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("reads 1,000 rows by default, and at most 1,000 with a LIMIT in the SQL", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const runs = yield* Runs
      yield* runs.preview(scope, { sql: "SELECT 1" })
      yield* runs.preview(scope, { sql: "SELECT 1", row_limit: 5_000 })
      yield* runs.preview(scope, { sql: "SELECT 1 LIMIT 9999", row_limit: 5_000 })
      yield* runs.preview(scope, { sql: "SELECT 1 LIMIT 9999 -- [[", row_limit: 10 })
      yield* runs.preview(scope, { sql: "SELECT * FROM (SELECT 1 LIMIT 5)", row_limit: 5_000 })
      assert.deepStrictEqual(queries.map(({ maxRows }) => maxRows), [1_000, 5_000, 1_000, 10, 5_000])
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("rejects invalid input before it reaches the warehouse, with a specific code", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const runs = yield* Runs
      const code = (sql: string, filter_values: FilterValues = {}) =>
        codeOf(runs.preview(scope, { sql, filter_values }))
      assert.strictEqual(yield* code("SELECT {{a"), "INVALID_SQL")
      assert.strictEqual(yield* code("SELECT ?"), "INVALID_SQL")
      assert.strictEqual(yield* code("SELECT '{{a}}'", valueOfA("v")), "INVALID_SQL")
      assert.strictEqual(yield* code("DELETE FROM x"), "NOT_READ_ONLY")
      assert.strictEqual(yield* code("SELECT 1; SELECT {{a}}", valueOfA("v")), "MULTIPLE_STATEMENTS")
      assert.strictEqual(yield* code("SELECT 1", valueOfA("v")), "UNKNOWN_FILTER")
      assert.strictEqual(yield* code(withA), "MISSING_FILTER_VALUE")
      assert.strictEqual(yield* code(withA, { a: { filter_type: "number", value: "x" } }), "INVALID_FILTER_VALUE")
      assert.deepStrictEqual(queries, [])
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("passes on refusals of the warehouse and reports when it is busy", () => {
    const busy = new WarehouseBusy({ retryAfter: Duration.seconds(3) })
    const { layer } = fakeWarehouse(({ text }) => Effect.fail(text === "SELECT 1" ? refusal("TIMEOUT") : busy))
    return Effect.gen(function*() {
      const runs = yield* Runs
      const counted = (result: string) => meterReading("trunkline_board_query_duration_seconds", { result })
      const before = [counted("refused"), counted("busy")]
      const timeout = yield* Effect.flip(runs.preview(scope, { sql: "SELECT 1" }))
      assert.deepStrictEqual([timeout._tag, timeout.message], ["BoardsFailure", "It was TIMEOUT"])
      const overloaded = yield* Effect.flip(runs.preview(scope, { sql: "SELECT 2" }))
      assert.deepStrictEqual("retryAfter" in overloaded && overloaded.retryAfter, Duration.seconds(3))
      assert.deepStrictEqual([counted("refused"), counted("busy")], before.map((count) => count + 1))
    }).pipe(Effect.provide(runsOver(layer)))
  })
})

describe("Runs.widget", () => {
  it.effect("finds only boards and widgets of the workspace", () => {
    const { layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const runs = yield* Runs
      yield* saveBoard(twoWidgets)
      const code = (...place: readonly [typeof scope, BoardId, WidgetId]) => codeOf(runs.widget(...place))
      assert.strictEqual(yield* code(scope, BoardId.make("none"), widgetId(0)), "not found")
      assert.strictEqual(yield* code(scope, boardId, WidgetId.make("none")), "not found")
      assert.strictEqual(yield* code(otherScope, boardId, widgetId(0)), "not found")
      assert.strictEqual(yield* codeOf(runs.tab(scope, boardId, TabId.make("none"))), "not found")
      assert.strictEqual(yield* codeOf(runs.widgetUncached(otherScope, boardId, widgetId(0))), "not found")
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("caches a result for 60 seconds from its completion, for the same request only", () => {
    let runs = 0
    const { queries, layer } = fakeWarehouse(() => Effect.delay(Effect.sync(() => cell(`run ${++runs}`)), "10 seconds"))
    return Effect.gen(function*() {
      const queryCount = () => meterReading("trunkline_board_query_duration_seconds", { result: "ok" })
      const before = queryCount()
      const { widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      const run = (options?: Parameters<typeof widget>[3]) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.fork(widget(scope, boardId, widgetId(0), options))
          yield* Effect.yieldNow()
          yield* TestClock.adjust("10 seconds")
          return (yield* Fiber.join(fiber)).rows[0]?.[0]
        })
      const again = (options?: Parameters<typeof widget>[3]) =>
        Effect.map(widget(scope, boardId, widgetId(0), options), ({ rows }) => rows[0]?.[0])
      assert.strictEqual(yield* run(), "run 1")
      assert.strictEqual(yield* again({ filter_values: valueOfA("default") }), "run 1")
      assert.strictEqual(yield* run({ filter_values: valueOfA("other") }), "run 2")
      assert.strictEqual(yield* run({ row_limit: 5 }), "run 3")
      yield* TestClock.adjust("39999 millis")
      assert.strictEqual(yield* again(), "run 1")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* run(), "run 4")
      assert.lengthOf(queries, 4)
      assert.strictEqual(queryCount() - before, 4)
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("invalidates the results of a changed widget", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const { widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      yield* widget(scope, boardId, widgetId(0))
      yield* saveBoard(boardOf([withA, "SELECT 1"], [aDefault], 5))
      yield* widget(scope, boardId, widgetId(0))
      yield* saveBoard(boardOf(["SELECT {{a}}, 2", "SELECT 1"], [aDefault], 5))
      yield* widget(scope, boardId, widgetId(0))
      assert.lengthOf(queries, 3)
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("runs a query anew when the cached result is older than the request accepts, for all requests", () => {
    let runs = 0
    const { layer } = fakeWarehouse(() => Effect.sync(() => cell(`run ${++runs}`)))
    return Effect.gen(function*() {
      const { tab, widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      const run = (max_age?: number) =>
        Effect.map(
          widget(scope, boardId, widgetId(0), max_age === undefined ? {} : { max_age }),
          ({ rows }) => rows[0]?.[0]
        )
      const first = yield* run()
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* run(6), first)
      const second = yield* run(5)
      assert.notStrictEqual(second, first)
      assert.strictEqual(yield* run(), second)
      const third = yield* run(0)
      assert.notStrictEqual(third, second)
      yield* tab(scope, boardId, tabId, { max_age: 0 })
      assert.notStrictEqual(yield* run(), third)
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("resolves relative days before looking up the cache", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const { widget } = yield* Runs
      yield* saveBoard(boardOf([withA], [filter("date", { default_value: "today" })]))
      yield* TestClock.setTime(new Date("2026-03-01T18:29:30Z").getTime())
      yield* widget(scope, boardId, widgetId(0))
      yield* TestClock.adjust("30 seconds")
      yield* widget(scope, boardId, widgetId(0))
      assert.deepStrictEqual(queries.map(({ parameters }) => parameters), [
        ["2026-02-28T18:30:00.000Z"],
        ["2026-03-01T18:30:00.000Z"]
      ])
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("caches up to 64 MB and evicts the least recently used results", () => {
    const large = cell("x".repeat(10_000_000))
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(large))
    return Effect.gen(function*() {
      const { widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      const run = (row_limit: number) => widget(scope, boardId, widgetId(0), { row_limit })
      yield* Effect.forEach([1, 2, 3, 1, 4], run)
      assert.deepStrictEqual(queries.map(({ maxRows }) => maxRows), [1, 2, 3, 4])
      yield* Effect.forEach([1, 3, 4, 2], run)
      assert.deepStrictEqual(queries.map(({ maxRows }) => maxRows), [1, 2, 3, 4, 2])
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("does not cache failures", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.fail(refusal("TIMEOUT")))
    return Effect.gen(function*() {
      const { widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      assert.strictEqual(yield* codeOf(widget(scope, boardId, widgetId(0))), "TIMEOUT")
      assert.strictEqual(yield* codeOf(widget(scope, boardId, widgetId(0))), "TIMEOUT")
      assert.lengthOf(queries, 2)
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("interrupts the query when the last waiting request leaves", () => {
    const { layer, state } = fakeWarehouse(() => Effect.never)
    return Effect.gen(function*() {
      const { preview, widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      const clients = yield* Effect.forEach([1, 2, 3], () => Effect.fork(widget(scope, boardId, widgetId(0))))
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      assert.deepInclude(state, { running: 1, ended: 0 })
      yield* Effect.forEach(clients.slice(1), Fiber.interrupt)
      assert.deepInclude(state, { running: 1, ended: 0 })
      yield* Effect.forEach(clients, Fiber.interrupt)
      assert.deepInclude(state, { running: 0, ended: 1 })
      const trial = yield* Effect.fork(preview(scope, { sql: "SELECT 1" }))
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      yield* Fiber.interrupt(trial)
      assert.deepInclude(state, { running: 0, ended: 2 })
    }).pipe(Effect.provide(runsOver(layer)))
  })
})

describe("Runs.fresh", () => {
  it.effect("bypasses the cache and stores nothing", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const { widgetUncached, widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      yield* widgetUncached(scope, boardId, widgetId(0))
      yield* widget(scope, boardId, widgetId(0))
      assert.lengthOf(queries, 2)
      yield* widgetUncached(scope, boardId, widgetId(0))
      assert.lengthOf(queries, 3)
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("does not join a running query", () => {
    const { queries, layer, state } = fakeWarehouse(() => Effect.delay(Effect.succeed(cell("x")), "1 seconds"))
    return Effect.gen(function*() {
      const { widgetUncached, widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      const gate = yield* Deferred.make<void>()
      const both = yield* Effect.fork(
        Effect.all([widget(scope, boardId, widgetId(0)), widgetUncached(scope, boardId, widgetId(0))], {
          concurrency: 2
        }).pipe(
          Effect.ensuring(Deferred.succeed(gate, undefined))
        )
      )
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      assert.strictEqual(state.running, 2)
      yield* TestClock.adjust("1 seconds")
      yield* Deferred.await(gate)
      yield* Fiber.join(both)
      assert.deepStrictEqual(queries[0], queries[1])
      assert.deepStrictEqual(queries[0]?.parameters, ["default"])
    }).pipe(Effect.provide(runsOver(layer)))
  })
})
