import { BoardsFailure, Invalid, issuesOf, NotFound } from "@trunkline/errors"
import { unchecked } from "@trunkline/kernel"
import { Array, Effect, Option } from "effect"
import { checkDropdown, checkDropdowns } from "../filters/DeclaredFilters.js"
import { applyFilterChange, deriveFilters } from "../filters/DeriveFilters.js"
import type { Filter, FilterDecl, FilterId } from "../filters/Filter.js"
import { parseTemplate } from "../filters/SqlTemplate.js"
import { Board, Tab, type TabId, Widget, type WidgetId, widgetsOf } from "./Board.js"
import {
  type CreateTab,
  type CreateWidget,
  maxTabs,
  maxWidgets,
  type PatchFilter,
  type PatchTab,
  type PatchWidget,
  vizIssue
} from "./BoardBodies.js"
import {
  applyChanges,
  getTab,
  getWidget,
  isEmptyPatch,
  limitError,
  type Stamp,
  withoutTab,
  withoutWidget,
  withTab,
  withWidget
} from "./Layout.js"

/** Appends a tab. */
export const addTab = (board: Board, stamp: Stamp, id: TabId, { name }: CreateTab) =>
  Effect.gen(function*() {
    const position = board.tabs.length
    if (position >= maxTabs) return yield* limitError(`A board can have at most ${maxTabs} tabs`)
    const tab = new Tab({ id, name, position, widgets: [] })
    return applyChanges(board, stamp, { tabs: withTab(board.tabs, tab, position) })
  })

/** Renames or moves a tab. */
export const changeTab = (board: Board, stamp: Stamp, id: TabId, patch: PatchTab) =>
  Effect.gen(function*() {
    const before = yield* getTab(board, id)
    if (isEmptyPatch(patch)) return board
    const tab = new Tab({ ...before, name: patch.name ?? before.name })
    return applyChanges(board, stamp, { tabs: withTab(board.tabs, tab, patch.position ?? before.position) })
  })

/**
 * Removes a tab with its widgets; fails with `LAST_TAB` when it is the only one. Does not update the board's filters.
 */
export const dropTab = (board: Board, stamp: Stamp, id: TabId) =>
  Effect.gen(function*() {
    yield* getTab(board, id)
    if (board.tabs.length === 1) {
      return yield* new BoardsFailure({ code: "LAST_TAB", message: "The only tab of a board cannot be deleted" })
    }
    return applyChanges(board, stamp, { tabs: withoutTab(board.tabs, id) })
  })

const checkWidgetLimit = (tab: Tab): Effect.Effect<void, BoardsFailure> =>
  tab.widgets.length < maxWidgets ? Effect.void : limitError(`A tab can have at most ${maxWidgets} widgets`)

/** Appends a widget to its tab. Does not update the board's filters. */
export const addWidget = (board: Board, stamp: Stamp, id: WidgetId, body: CreateWidget) =>
  Effect.gen(function*() {
    const tab = body.tab_id === null
      ? yield* Effect.orDie(Array.head(board.tabs))
      : yield* getTab(board, body.tab_id)
    yield* checkWidgetLimit(tab)
    const widget = new Widget({
      id,
      board_id: board.id,
      tab_id: tab.id,
      position: tab.widgets.length,
      name: body.name,
      sql: body.sql,
      viz_type: body.viz_type,
      viz_config: body.viz_config,
      filters: (yield* parseTemplate(body.sql)).names,
      ...stamp,
      created_by: stamp.updated_by,
      created_at: stamp.updated_at
    })
    return applyChanges(board, stamp, { tabs: withWidget(board.tabs, widget, widget.position) })
  })

/** Changes a widget or moves it, also to another tab. Does not update the board's filters. */
export const changeWidget = (board: Board, stamp: Stamp, id: WidgetId, patch: PatchWidget) =>
  Effect.gen(function*() {
    const before = yield* getWidget(board, id)
    if (isEmptyPatch(patch)) return board
    const tab = yield* getTab(board, patch.tab_id ?? before.tab_id)
    const moves = tab.id !== before.tab_id
    if (moves) yield* checkWidgetLimit(tab)
    const sql = patch.sql ?? before.sql
    const widget = new Widget({
      ...before,
      ...stamp,
      tab_id: tab.id,
      name: patch.name ?? before.name,
      sql,
      viz_type: patch.viz_type ?? before.viz_type,
      viz_config: patch.viz_config ?? before.viz_config,
      filters: (yield* parseTemplate(sql)).names
    })
    const issue = vizIssue(widget.viz_type, widget.viz_config)
    if (Option.isSome(issue)) return yield* new Invalid({ issues: issuesOf(issue.value, "body") })
    const target = patch.position ?? (moves ? undefined : before.position)
    return applyChanges(board, stamp, { tabs: withWidget(board.tabs, widget, target) })
  })

/** Removes a widget. Does not update the board's filters. */
export const dropWidget = (board: Board, stamp: Stamp, id: WidgetId) =>
  Effect.map(
    getWidget(board, id),
    () => applyChanges(board, stamp, { tabs: withoutWidget(board.tabs, id) })
  )

/** Filter declarations of one widget. */
interface WidgetDeclarations {
  readonly widget: WidgetId
  readonly filters: ReadonlyArray<FilterDecl>
}

/** Derives the filters of a board after one of its widgets has declared some; fails as `checkDropdowns` does. */
export const withDeclaredFilters = (
  board: Board,
  newId: Effect.Effect<string>,
  widgetDeclarations: WidgetDeclarations
): Effect.Effect<Board, BoardsFailure | Invalid> =>
  Effect.zipRight(
    checkDropdowns(widgetDeclarations.filters, board.filters),
    withDerivedFilters(board, newId, widgetDeclarations)
  )

/** Derives the filters of a board from its widgets; existing filters keep their attributes. */
export const withDerivedFilters = (
  board: Board,
  newId: Effect.Effect<string>,
  widgetDeclarations?: WidgetDeclarations
): Effect.Effect<Board, BoardsFailure> =>
  Effect.map(
    deriveFilters({
      widgets: widgetsOf(board).map(({ id, sql }) => ({
        sql,
        filters: id === widgetDeclarations?.widget ? widgetDeclarations.filters : undefined
      })),
      existingFilters: board.filters,
      newId
    }),
    (filters) => new Board({ ...board, filters }, unchecked)
  )

/** Finds a filter of a board, or fails with `NotFound`. */
export const getFilter = (board: Board, id: FilterId): Effect.Effect<Filter, NotFound> =>
  Effect.mapError(
    Array.findFirst(board.filters, (filter) => filter.id === id),
    () => new NotFound({ resource: "filter", id })
  )

/** Changes a filter. The caller checks that it still fits the widgets that use it. */
export const changeFilter = (board: Board, stamp: Stamp, id: FilterId, patch: PatchFilter) =>
  Effect.gen(function*() {
    const before = yield* getFilter(board, id)
    if (isEmptyPatch(patch, ["default_value"])) return board
    yield* checkDropdown(patch, before)
    const filter = yield* applyFilterChange(before, patch)
    return applyChanges(board, stamp, { filters: board.filters.map((other) => other.id === id ? filter : other) })
  })
