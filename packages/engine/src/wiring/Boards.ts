import { type Board, BoardId, BoardStore, Runs, WidgetDependents, widgetsOf } from "@trunkline/boards"
import { BoardsFailure, NotFound } from "@trunkline/errors"
import type { Scope } from "@trunkline/kernel"
import { NotificationRules, ReportSource } from "@trunkline/notifications"
import { Array, Effect, Layer, Option } from "effect"

const findWidget = (board: Board, id: string) => Array.findFirst(widgetsOf(board), (widget) => widget.id === id)

/** Widgets of boards for scheduled reports. */
export const reportedWidgetsLayer = Layer.effect(
  ReportSource,
  Effect.gen(function*() {
    const store = yield* BoardStore
    const runs = yield* Runs

    const findBoard = (scope: Scope, id: string) =>
      Effect.flatMap(
        store.find(scope, BoardId.make(id)),
        Effect.mapError(() => new NotFound({ resource: "board", id }))
      )

    return ReportSource.of({
      checkBoard: (scope, board_id) => Effect.asVoid(findBoard(scope, board_id)),
      checkWidget: (scope, board_id, widget_id) =>
        Effect.flatMap(findBoard(scope, board_id), (board) =>
          Option.isSome(findWidget(board, widget_id))
            ? Effect.void
            : new BoardsFailure({
              code: "WIDGET_NOT_ON_BOARD",
              message: `The board has no widget with the id "${widget_id}"`
            })),
      report: (scope, board_id, widget_id) =>
        Effect.gen(function*() {
          const board = yield* findBoard(scope, board_id)
          const widget = yield* Effect.mapError(
            findWidget(board, widget_id),
            () => new NotFound({ resource: "widget", id: widget_id })
          )
          const outcome = yield* runs.widgetUncached(scope, board.id, widget.id).pipe(
            Effect.catchTags({
              BoardsFailure: ({ code, message }) => Effect.succeed({ code, message }),
              Overloaded: ({ message }) => Effect.succeed({ code: "RATE_LIMITED", message })
            })
          )
          const { name: widget_name, viz_config, viz_type } = widget
          return { board_name: board.name, widget_name, viz_type, viz_config, outcome }
        })
    })
  })
)

/** Removes the notification rules of removed widgets. */
export const widgetDependentsLayer = Layer.effect(
  WidgetDependents,
  Effect.map(NotificationRules, ({ removeOfWidgets }) => ({ onWidgetsRemoved: removeOfWidgets }))
)
