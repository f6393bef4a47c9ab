import { assert, describe, it } from "@effect/vitest"
import { type FilterValues, Runs } from "@trunkline/boards"
import { WarehouseBusy } from "@trunkline/warehouse"
import { Cause, Duration, Effect, Exit, Fiber, Logger, TestClock } from "effect"
import { filter } from "../filters/Fixtures.js"
import {
  aDefault,
  boardId,
  boardOf,
  cell,
  codeOf,
  fakeWarehouse,
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

describe("Runs.tab", () => {
  it.effect("runs a board of 20 widgets once for 50 clients, two widgets at a time for each", () => {
    const { queries, layer, state } = fakeWarehouse(({ text }) => Effect.delay(Effect.succeed(cell(text)), "1 seconds"))
    const sqls = Array.from({ length: 20 }, (_, index) => `SELECT ${index}, {{a}}`)
    return Effect.gen(function*() {
      const { tab } = yield* Runs
      yield* saveBoard(boardOf(sqls, [aDefault]))
      const clients = yield* Effect.fork(
        Effect.all(Array.from({ length: 50 }, () => tab(scope, boardId, tabId)), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("10 seconds")
      const results = yield* Fiber.join(clients)
      assert.lengthOf(queries, 20)
      assert.strictEqual(state.most, 2)
      assert.lengthOf(results, 50)
      for (const { results: each } of results) assert.deepStrictEqual(each, results[0]?.results)
      assert.deepStrictEqual(
        results[0]?.results.map(({ widget_id }) => widget_id),
        sqls.map((_, index) => widgetId(index))
      )
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("reports each failure in its own result beside the others' results", () => {
    const { layer } = fakeWarehouse(({ text }) => {
      switch (text.trim()) {
        case "SELECT 'slow'":
          return Effect.fail(refusal("TIMEOUT"))
        case "SELECT 'busy'":
          return Effect.fail(new WarehouseBusy({ retryAfter: Duration.seconds(1) }))
        case "SELECT 'broken'":
          return Effect.die(new Error("secret of the inside"))
        default:
          return Effect.succeed(cell("fine"))
      }
    })
    const logged: Array<unknown> = []
    const board = boardOf(
      ["SELECT 1", "SELECT 'slow'", "SELECT 'busy'", "SELECT 'broken'", "SELECT {{a}}", "SELECT {{", "SELECT {{b}}"],
      [filter("string"), filter("string", { internal_name: "b", default_value: "x" })]
    )
    return Effect.gen(function*() {
      const { tab } = yield* Runs
      yield* saveBoard(board)
      const { filter_values_used, results } = yield* tab(scope, boardId, tabId)
      assert.deepStrictEqual(
        results.map((result) => result.status === "ok" ? result.rows : result.error.code),
        [[["fine"]], "TIMEOUT", "RATE_LIMITED", "INTERNAL", "MISSING_FILTER_VALUE", "INVALID_SQL", [["fine"]]]
      )
      assert.deepStrictEqual(filter_values_used, { a: null, b: "x" })
      assert.notInclude(JSON.stringify(results), "secret")
      assert.lengthOf(logged, 1)
      assert.notInclude(JSON.stringify(logged), "secret")
    }).pipe(
      Effect.provide([
        runsOver(layer),
        Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => logged.push(message)))
      ])
    )
  })

  it.effect("omits results that would make the response too large, with an error for each", () => {
    const { layer } = fakeWarehouse(() => Effect.succeed(cell("x".repeat(5 * 1024 * 1024))))
    return Effect.gen(function*() {
      const { tab } = yield* Runs
      yield* saveBoard(boardOf(["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"], []))
      const { results } = yield* tab(scope, boardId, tabId)
      assert.deepStrictEqual(
        results.map((result) => result.status === "ok" ? "ok" : result.error.code),
        ["ok", "ok", "RESOURCE_LIMIT", "RESOURCE_LIMIT"]
      )
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("passes each widget its own values, and rejects values that no widget uses", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    const elsewhereUsed = filter("string", { internal_name: "other", default_value: "x" })
    return Effect.gen(function*() {
      const { tab, widget } = yield* Runs
      yield* saveBoard(boardOf([withA, "SELECT 1"], [filter("string"), elsewhereUsed]))
      const { filter_values_used } = yield* tab(scope, boardId, tabId, { filter_values: valueOfA("v") })
      assert.deepStrictEqual(filter_values_used, { a: "v" })
      assert.deepStrictEqual(queries.map(({ parameters }) => parameters), [["v"], []])
      const other: FilterValues = { other: { filter_type: "string", value: "v" } }
      assert.strictEqual(yield* codeOf(tab(scope, boardId, tabId, { filter_values: other })), "UNKNOWN_FILTER")
      assert.strictEqual(
        yield* codeOf(widget(scope, boardId, widgetId(1), { filter_values: valueOfA("v") })),
        "UNKNOWN_FILTER",
        "a widget takes only what it uses itself"
      )
      const wrong: FilterValues = { a: { filter_type: "date", value: "today" } }
      assert.strictEqual(yield* codeOf(tab(scope, boardId, tabId, { filter_values: wrong })), "INVALID_FILTER_VALUE")
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("shares cached results with single-widget runs", () => {
    const { queries, layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const { tab, widget } = yield* Runs
      yield* saveBoard(twoWidgets)
      yield* tab(scope, boardId, tabId)
      yield* widget(scope, boardId, widgetId(0), { row_limit: 1_000 })
      yield* widget(scope, boardId, widgetId(1))
      assert.lengthOf(queries, 2)
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("is interrupted as a whole when its client disconnects", () => {
    const { layer, state } = fakeWarehouse(() => Effect.never)
    return Effect.gen(function*() {
      const { tab } = yield* Runs
      yield* saveBoard(twoWidgets)
      const client = yield* Effect.fork(tab(scope, boardId, tabId))
      yield* Effect.repeatN(Effect.yieldNow(), 50)
      assert.strictEqual(state.running, 2)
      const exit = yield* Fiber.interrupt(client)
      assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
      assert.deepInclude(state, { running: 0, ended: 2 })
    }).pipe(Effect.provide(runsOver(layer)))
  })

  it.effect("returns no results for a tab without widgets", () => {
    const { layer } = fakeWarehouse(() => Effect.succeed(cell("x")))
    return Effect.gen(function*() {
      const { tab } = yield* Runs
      yield* saveBoard(boardOf([]))
      assert.deepStrictEqual(yield* tab(scope, boardId, tabId), { results: [], filter_values_used: {} })
    }).pipe(Effect.provide(runsOver(layer)))
  })
})
