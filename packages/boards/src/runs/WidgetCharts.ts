import { type ChartError, ChartRenderer, type ChartSize, type ImageFormat } from "@trunkline/charts"
import { BoardsFailure, Overloaded, Unavailable } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer } from "effect"
import type { BoardId, WidgetId } from "../boards/Board.js"
import { Boards } from "../boards/Boards.js"
import type { WidgetRun } from "./RunBodies.js"
import { type RunFailure, Runs } from "./Runs.js"

/** Delay to suggest when the renderer is busy; it renders several charts in that time. */
const retryAfter = Duration.seconds(2)

const toFailure = ({ kind, message }: ChartError): BoardsFailure | Overloaded | Unavailable => {
  if (kind === "busy") return new Overloaded({ message, retryAfter })
  if (kind === "unavailable") return new Unavailable({ message })
  return new BoardsFailure({ code: "INVALID_REQUEST", message })
}

/** Renders charts of widgets. */
export class WidgetCharts extends Context.Tag("@trunkline/boards/WidgetCharts")<WidgetCharts, {
  /**
   * Runs a widget, or takes its cached result, and renders it with the widget's settings. Fails with `INVALID_REQUEST`
   * when the result makes no chart, such as that of a `table` widget; with `Overloaded` when too many queries or charts
   * are queued; with `Unavailable` when no renderer works.
   */
  readonly render: (
    scope: Scope,
    board_id: BoardId,
    widget_id: WidgetId,
    options: { readonly format: ImageFormat; readonly run?: Partial<WidgetRun>; readonly size?: ChartSize }
  ) => Effect.Effect<Uint8Array, RunFailure | Unavailable>
}>() {
  /** Charts of `Boards` and `Runs`, rendered by the `ChartRenderer`. */
  static readonly layer = Layer.effect(
    WidgetCharts,
    Effect.gen(function*() {
      const boards = yield* Boards
      const runs = yield* Runs
      const renderer = yield* ChartRenderer
      return WidgetCharts.of({
        render: Effect.fn("WidgetCharts.draw")(function*(scope, board_id, widget_id, { format, run, size }) {
          const { widget } = yield* boards.widget(scope, board_id, widget_id)
          const table = yield* runs.widget(scope, board_id, widget_id, run)
          const { name: title, viz_config, viz_type } = widget
          return yield* renderer.render({ title, viz_type, viz_config, table }, format, size).pipe(
            Effect.mapError(toFailure)
          )
        })
      })
    })
  )
}
