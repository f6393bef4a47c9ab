import { ChartRenderer, type NoPicture, type PictureFormat } from "@trunkline/charts"
import { BoardsFailure, Overloaded, Unavailable } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { Context, Duration, Effect, Layer } from "effect"
import type { BoardId, WidgetId } from "../boards/Board.js"
import { Boards } from "../boards/Boards.js"
import type { WidgetRun } from "../runs/RunBodies.js"
import { type RunFailure, Runs } from "../runs/Runs.js"

/** When a chart that was one too many is worth asking for again: by then the thread has drawn several. */
const retryAfter = Duration.seconds(2)

const failureOf = ({ kind, message }: NoPicture): BoardsFailure | Overloaded | Unavailable => {
  if (kind === "busy") return new Overloaded({ message, retryAfter })
  if (kind === "unavailable") return new Unavailable({ message })
  return new BoardsFailure({ code: "INVALID_REQUEST", message })
}

/** Pictures of what widgets have to tell. */
export class WidgetCharts extends Context.Tag("@trunkline/boards/WidgetCharts")<WidgetCharts, {
  /**
   * Runs a widget, or takes the kept result, and draws it as its settings say. Fails with `INVALID_REQUEST` where the
   * result makes no chart, such as that of a `table`; with `Overloaded` when too many queries wait, or too many charts
   * are being drawn; with `Unavailable` when nobody can draw.
   */
  readonly draw: (
    scope: Scope,
    board_id: BoardId,
    widget_id: WidgetId,
    picture: { readonly format: PictureFormat; readonly run?: Partial<WidgetRun> }
  ) => Effect.Effect<Uint8Array, RunFailure | Unavailable>
}>() {
  static readonly layer = Layer.effect(
    WidgetCharts,
    Effect.gen(function*() {
      const boards = yield* Boards
      const runs = yield* Runs
      const renderer = yield* ChartRenderer
      return WidgetCharts.of({
        draw: Effect.fn("WidgetCharts.draw")(function*(scope, board_id, widget_id, { format, run }) {
          const { widget } = yield* boards.widget(scope, board_id, widget_id)
          const table = yield* runs.widget(scope, board_id, widget_id, run)
          const { name: title, viz_config, viz_type } = widget
          return yield* renderer.render({ title, viz_type, viz_config, table }, format).pipe(
            Effect.mapError(failureOf)
          )
        })
      })
    })
  )
}
