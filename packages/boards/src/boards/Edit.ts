import { BoardsFailure, NotFound } from "@trunkline/errors"
import { trusted } from "@trunkline/kernel"
import { type DateTime, Effect, Number, Struct } from "effect"
import { type Actor, Board, type Tab, type TabId, type Widget, type WidgetId, widgetsOf } from "./Board.js"
import { MAX_BOARD_LENGTH, MAX_FILTERS } from "./BoardLimits.js"
import { findTab, findWidget } from "./Layout.js"

/** Who changes a board, and when. */
export interface Stamp {
  readonly updated_by: Actor
  readonly updated_at: DateTime.Utc
}

/** The board with changes, which are this stamp's. */
export const changed = (
  board: Board,
  stamp: Stamp,
  changes: Partial<Pick<Board, "name" | "tag" | "tabs" | "filters">>
): Board => new Board({ ...board, ...changes, ...stamp }, trusted)

/** Whether a PATCH asks for nothing: absent is unchanged, and so is null but for what it clears (shapes 0.3). */
export const isEmpty = <K extends string>(
  patch: { readonly [P in K]?: unknown },
  clearable: ReadonlyArray<NoInfer<K>> = []
): boolean =>
  Struct.keys(patch).every((key) => patch[key] === undefined || (patch[key] === null && !clearable.includes(key)))

/** There is no more room of some kind. */
export const noRoom = (message: string) => new BoardsFailure({ code: "RESOURCE_LIMIT", message })

/** A tab of a board, or the failure that says that there is none. */
export const tabOf = (board: Board, id: TabId): Effect.Effect<Tab, NotFound> =>
  Effect.mapError(findTab(board, id), () => new NotFound({ resource: "tab", id }))

/** A widget of a board, or the failure that says that there is none. */
export const widgetOf = (board: Board, id: WidgetId): Effect.Effect<Widget, NotFound> =>
  Effect.mapError(findWidget(board, id), () => new NotFound({ resource: "widget", id }))

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** Fails with `RESOURCE_LIMIT` when a board holds more than it may: `MAX_FILTERS`, `MAX_BOARD_LENGTH`. */
export const holdable = (board: Board): Effect.Effect<void, BoardsFailure> => {
  if (board.filters.length > MAX_FILTERS) return noRoom(`A board may have ${MAX_FILTERS} filters`)
  const widgets = widgetsOf(board).map(({ sql, viz_config }) => sql.length + lengthOf(viz_config))
  const filters = board.filters.map(({ default_value, options }) => lengthOf([default_value, options]))
  return Number.sumAll([...widgets, ...filters]) > MAX_BOARD_LENGTH
    ? noRoom(`What a board's widgets and filters say may have ${MAX_BOARD_LENGTH} characters in all`)
    : Effect.void
}

/** The widgets that a board had before a change and has no more. */
export const widgetsGone = (before: Board, after: Board): ReadonlyArray<WidgetId> => {
  const left = new Set(widgetsOf(after).map(({ id }) => id))
  return widgetsOf(before).map(({ id }) => id).filter((id) => !left.has(id))
}
