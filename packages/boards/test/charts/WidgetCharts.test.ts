import { assert, describe, it } from "@effect/vitest"
import { Boards, WidgetCharts } from "@trunkline/boards"
import { ChartRenderer, NoPicture } from "@trunkline/charts"
import { Ids } from "@trunkline/kernel"
import { Duration, Effect, Layer } from "effect"
import { boardId, boardOf, cell, fakeWarehouse, keep, runsOver, scope, widgetId } from "../runs/fixtures.js"

/** Why a widget has no chart, when its renderer says so. */
const failureOf = (kind: NoPicture["kind"]) => {
  const renderer = Layer.succeed(ChartRenderer, { render: () => new NoPicture({ kind, message: "Says why" }) })
  const layer = WidgetCharts.layer.pipe(
    Layer.provide(Boards.layer),
    Layer.provide(renderer),
    Layer.provideMerge(runsOver(fakeWarehouse(() => Effect.succeed(cell(1))).layer)),
    Layer.provide(Ids.layerSeeded("charts"))
  )
  return Effect.gen(function*() {
    yield* keep(boardOf(["SELECT 1"]))
    const charts = yield* WidgetCharts
    return yield* Effect.flip(charts.draw(scope, boardId, widgetId(0), { format: "png" }))
  }).pipe(Effect.provide(layer))
}

describe("WidgetCharts", () => {
  it.effect("ask to come again in two seconds when too many charts are being drawn", () =>
    Effect.gen(function*() {
      const failure = yield* failureOf("busy")
      assert.deepInclude(failure, { _tag: "Overloaded", message: "Says why", retryAfter: Duration.seconds(2) })
    }))

  it.effect("are unavailable when nobody draws", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* failureOf("unavailable"), { _tag: "Unavailable", message: "Says why" })
    }))

  it.effect("refuse what makes no chart as a request to be mended", () =>
    Effect.gen(function*() {
      const failure = yield* failureOf("unsuitable")
      assert.deepInclude(failure, { _tag: "BoardsFailure", code: "INVALID_REQUEST", message: "Says why" })
    }))
})
