import { assert, describe, it } from "@effect/vitest"
import { Boards, WidgetCharts } from "@trunkline/boards"
import { ChartError, ChartRenderer } from "@trunkline/charts"
import { Ids } from "@trunkline/kernel"
import { Duration, Effect, Layer } from "effect"
import { boardId, boardOf, cell, fakeWarehouse, runsOver, saveBoard, scope, widgetId } from "../runs/Fixtures.js"

/** Failure of a widget's chart when the renderer fails with this kind. */
const errorOf = (kind: ChartError["kind"]) => {
  const renderer = Layer.succeed(ChartRenderer, { render: () => new ChartError({ kind, message: "Says why" }) })
  const layer = WidgetCharts.layer.pipe(
    Layer.provide(Boards.layer),
    Layer.provide(renderer),
    Layer.provideMerge(runsOver(fakeWarehouse(() => Effect.succeed(cell(1))).layer)),
    Layer.provide(Ids.layerSeeded("charts"))
  )
  return Effect.gen(function*() {
    yield* saveBoard(boardOf(["SELECT 1"]))
    const charts = yield* WidgetCharts
    return yield* Effect.flip(charts.render(scope, boardId, widgetId(0), { format: "png" }))
  }).pipe(Effect.provide(layer))
}

describe("WidgetCharts", () => {
  it.effect("suggest a retry in two seconds when the renderer is busy", () =>
    Effect.gen(function*() {
      const failure = yield* errorOf("busy")
      assert.deepInclude(failure, { _tag: "Overloaded", message: "Says why", retryAfter: Duration.seconds(2) })
    }))

  it.effect("are unavailable without a renderer", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* errorOf("unavailable"), { _tag: "Unavailable", message: "Says why" })
    }))

  it.effect("reject a result that makes no chart with INVALID_REQUEST", () =>
    Effect.gen(function*() {
      const failure = yield* errorOf("unsuitable")
      assert.deepInclude(failure, { _tag: "BoardsFailure", code: "INVALID_REQUEST", message: "Says why" })
    }))
})
