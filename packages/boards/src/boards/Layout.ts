import { BoardsFailure, NotFound } from "@trunkline/errors"
import { unchecked } from "@trunkline/kernel"
import { Array, type DateTime, Effect, Number, type Option, Struct } from "effect"
import { rememberReplaced } from "../filters/ReplacedFilters.js"
import { type Actor, Board, Tab, type TabId, Widget, type WidgetId, widgetsOf } from "./Board.js"
import { maxBoardLength, maxFilters } from "./BoardBodies.js"

/** Target position, from 0; undefined or beyond the end means the end. */
type TargetPosition = number | undefined

const insertAt = <A>(items: ReadonlyArray<A>, item: A, target: TargetPosition): ReadonlyArray<A> => {
  const index = Math.min(target ?? items.length, items.length)
  return [...items.slice(0, index), item, ...items.slice(index)]
}

const renumberTabs = (tabs: ReadonlyArray<Tab>): ReadonlyArray<Tab> =>
  tabs.map((tab, position) => tab.position === position ? tab : new Tab({ ...tab, position }, unchecked))

const renumberWidgets = (widgets: ReadonlyArray<Widget>): ReadonlyArray<Widget> =>
  widgets.map((widget, position) =>
    widget.position === position ? widget : new Widget({ ...widget, position }, unchecked)
  )

/** Inserts, replaces or moves a tab; the others make room or close up. */
export const withTab = (tabs: ReadonlyArray<Tab>, tab: Tab, target: TargetPosition): ReadonlyArray<Tab> =>
  renumberTabs(insertAt(tabs.filter(({ id }) => id !== tab.id), tab, target))

/** Removes a tab; the following ones close up. */
export const withoutTab = (tabs: ReadonlyArray<Tab>, id: TabId): ReadonlyArray<Tab> =>
  renumberTabs(tabs.filter((tab) => tab.id !== id))

/** Removes a widget; the following ones close up. */
export const withoutWidget = (tabs: ReadonlyArray<Tab>, id: WidgetId): ReadonlyArray<Tab> =>
  tabs.map((tab) =>
    tab.widgets.some((widget) => widget.id === id)
      ? new Tab({ ...tab, widgets: renumberWidgets(tab.widgets.filter((widget) => widget.id !== id)) }, unchecked)
      : tab
  )

/** Inserts, replaces or moves a widget into the tab of its `tab_id`; the widgets of both tabs make room or close up. */
export const withWidget = (tabs: ReadonlyArray<Tab>, widget: Widget, target: TargetPosition): ReadonlyArray<Tab> =>
  withoutWidget(tabs, widget.id).map((tab) =>
    tab.id === widget.tab_id
      ? new Tab({ ...tab, widgets: renumberWidgets(insertAt(tab.widgets, widget, target)) }, unchecked)
      : tab
  )

/** Finds a tab of a board. */
export const findTab = (board: Board, id: TabId): Option.Option<Tab> =>
  Array.findFirst(board.tabs, (tab) => tab.id === id)

/** Finds a widget of a board, in any tab. */
export const findWidget = (board: Board, id: WidgetId): Option.Option<Widget> =>
  Array.findFirst(board.tabs, (tab) => Array.findFirst(tab.widgets, (widget) => widget.id === id))

/** Author and time of a change. */
export interface Stamp {
  readonly updated_by: Actor
  readonly updated_at: DateTime.Utc
}

/** Board with changes and their stamp. */
export const applyChanges = (
  board: Board,
  stamp: Stamp,
  changes: Partial<Pick<Board, "name" | "tag" | "tabs" | "filters">>
): Board => new Board({ ...board, ...changes, ...stamp }, unchecked)

/** Remembers the states of filters that a change replaced. */
export const withReplacedFilters = (before: Board, after: Board): Board => {
  const replaced_filters = rememberReplaced(before.replaced_filters ?? [], before.filters, after.filters)
  return replaced_filters.length === 0 ? after : new Board({ ...after, replaced_filters }, unchecked)
}

/** Tests for a patch that changes nothing: every field is absent, or null where null does not clear it. */
export const isEmptyPatch = <K extends string>(
  patch: { readonly [P in K]?: unknown },
  clearable: ReadonlyArray<NoInfer<K>> = []
): boolean =>
  Struct.keys(patch).every((key) => patch[key] === undefined || (patch[key] === null && !clearable.includes(key)))

/** Failure for exceeding a limit. */
export const limitError = (message: string) => new BoardsFailure({ code: "RESOURCE_LIMIT", message })

/** Finds a tab of a board, or fails with `NotFound`. */
export const getTab = (board: Board, id: TabId): Effect.Effect<Tab, NotFound> =>
  Effect.mapError(findTab(board, id), () => new NotFound({ resource: "tab", id }))

/** Finds a widget of a board, or fails with `NotFound`. */
export const getWidget = (board: Board, id: WidgetId): Effect.Effect<Widget, NotFound> =>
  Effect.mapError(findWidget(board, id), () => new NotFound({ resource: "widget", id }))

const jsonLength = (value: unknown): number => JSON.stringify(value).length

/** Fails with `RESOURCE_LIMIT` when a board exceeds `maxFilters` or `maxBoardLength`. */
export const checkBoardSize = (board: Board): Effect.Effect<void, BoardsFailure> => {
  if (board.filters.length > maxFilters) return limitError(`A board can have at most ${maxFilters} filters`)
  const widgets = widgetsOf(board).map(({ sql, viz_config }) => sql.length + jsonLength(viz_config))
  const filters = board.filters.map(({ default_value, options }) => jsonLength([default_value, options]))
  return Number.sumAll([...widgets, ...filters]) > maxBoardLength
    ? limitError(`The SQL, settings and filters of a board can have at most ${maxBoardLength} characters in total`)
    : Effect.void
}

/** Ids of widgets that a change removes from a board. */
export const removedWidgets = (before: Board, after: Board): ReadonlyArray<WidgetId> => {
  const remainingIds = new Set(widgetsOf(after).map(({ id }) => id))
  return widgetsOf(before).map(({ id }) => id).filter((id) => !remainingIds.has(id))
}
